#include "session/uuid.hpp"

#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace agentrun::host {

Result<std::string> random_uuid() {
  try {
    return boost::uuids::to_string(boost::uuids::random_generator_pure()());
  } catch (const boost::uuids::entropy_error& error) {
    return failure(ErrorCode::io, std::string("no random numbers: ") + error.what());
  }
}

}  // namespace agentrun::host
