#include "relay.hpp"

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <memory>
#include <utility>

#include "flow.hpp"
#include "linger.hpp"
#include "response_head.hpp"

namespace agentrun::proxy {
namespace {

constexpr int proxy_authentication_required = 407;

/// Kept alive by the waits it has in flight: when it has ended, they come back and it goes.
class Relay final : public boost::intrusive_ref_counter<Relay, boost::thread_unsafe_counter>,
                    public Loop::Activity,
                    public Deadlines::Entry {
 public:
  Relay(Loop& loop, Stream client, Stream upstream, RelayTerms terms)
      : loop_(loop), client_(std::move(client)), upstream_(std::move(upstream)) {
    upload_.put_first(terms.to_upstream);
    download_.put_first(terms.to_client);
    upload_.filter(std::move(terms.upload_filter));
    if (terms.exchange) {
      upload_.limit(terms.exchange->upload);
      download_.filter(std::make_unique<ResponseHeadFilter>(terms.exchange->hop));
      exchange_ = std::make_unique<ExchangeTerms>(std::move(*terms.exchange));
    }
    loop_.add(*this);
  }

  ~Relay() {
    if (!has_ended_) end();
  }

  void start() {
    // A client hears that its tunnel stands before anything that it sends is refused.
    const bool is_upload_first = upload_.filter() == nullptr;
    if (is_upload_first) run_upload();
    if (!has_ended_) run_download();
    if (!is_upload_first && !has_ended_) run_upload();
  }

 private:
  using Pointer = boost::intrusive_ptr<Relay>;

  void run_upload() {
    switch (upload_.run(loop_, client_, upstream_)) {
      case FlowStop::source_empty:
        return wait_upload(client_, Readiness::readable);
      case FlowStop::sink_full:
        watch_client();
        return wait_upload(upstream_, Readiness::writable);
      case FlowStop::source_ended:
        is_upload_done_ = true;
        if (is_download_done_) return end();
        upstream_.shutdown_sending();
        loop_.limits().half_close.start(*this);
        return;
      case FlowStop::sink_failed:
        // What upstream sent before it went may still be read; the error has been taken, so its end will not show.
        is_upload_done_ = true;
        is_upstream_broken_ = true;
        if (is_download_done_) reset();
        return;
      case FlowStop::source_failed:
      case FlowStop::filter_invalid:
        return reset();
      case FlowStop::filter_refused:
        return end_with(std::string(upload_.filter()->last_words()));
    }
  }

  void run_download() {
    const FlowStop stop = download_.run(loop_, upstream_, client_);
    if (download_.has_moved() && is_limited()) loop_.limits().half_close.start(*this);
    switch (stop) {
      case FlowStop::source_empty:
        return wait_download(upstream_, Readiness::readable);
      case FlowStop::sink_full:
        return wait_download(client_, Readiness::writable);
      case FlowStop::source_ended:
        return end_download();
      case FlowStop::sink_failed:
        return reset();
      case FlowStop::source_failed:
        return download_.filter() != nullptr ? answer(broken_cause(download_.error())) : reset();
      case FlowStop::filter_invalid:
        return answer(std::string(invalid_answer(exchange_->hop)));
      case FlowStop::filter_refused:
        return answer(upstream_answered(proxy_authentication_required));
    }
  }

  void end_download() {
    if (download_.filter() != nullptr) return answer(broken_cause(is_upstream_broken_ ? upload_.error() : 0));
    if (is_upstream_broken_) return reset();
    if (exchange_) return end_with("");
    is_download_done_ = true;
    if (is_upload_done_) return end();
    client_.shutdown_sending();
  }

  /// The connection ended before an answer: with an error, or (0) in order.
  [[nodiscard]] std::string broken_cause(int error) const {
    if (error != 0 && exchange_->hop == Hop::upstream) return upstream_connection_failed(error);
    return std::string(no_answer(exchange_->hop));
  }

  /// There is none from the other side that the client could have.
  void answer(const std::string& cause) { end_with(failed_answer(exchange_->target, cause, exchange_->body)); }

  void end_with(std::string last_words) {
    client_.cancel();
    linger(loop_, std::move(client_), std::move(last_words));
    end();
  }

  void wait_upload(Stream& stream, Readiness readiness) {
    stream.when(readiness, [self = Pointer(this)](bool) {
      if (!self->has_ended_) self->run_upload();
    });
  }

  void wait_download(Stream& stream, Readiness readiness) {
    stream.when(readiness, [self = Pointer(this)](bool) {
      if (!self->has_ended_) self->run_download();
    });
  }

  /// While upstream does not read, nothing else looks at the client: its reset would go unseen.
  void watch_client() {
    if (std::exchange(is_client_watched_, true)) return;
    client_.when(Readiness::broken, [self = Pointer(this)](bool) {
      if (!self->has_ended_ && pending_error(self->client_.descriptor()) != 0) self->reset();
    });
  }

  void reset() {
    client_.reset();
    upstream_.reset();
    end();
  }

  void end() {
    has_ended_ = true;
    cancel_deadline();
    upload_.close(loop_);
    download_.close(loop_);
    client_.close();
    upstream_.close();
  }

  void abandon() override { end(); }
  void on_deadline() override { end(); }

  Loop& loop_;
  Stream client_;
  Stream upstream_;
  Flow upload_;
  Flow download_;
  std::unique_ptr<ExchangeTerms> exchange_;
  bool is_upload_done_ = false;
  bool is_download_done_ = false;
  bool is_upstream_broken_ = false;
  bool is_client_watched_ = false;
  bool has_ended_ = false;
};

}  // namespace

void start_relay(Loop& loop, Stream client, Stream upstream, RelayTerms terms) {
  const boost::intrusive_ptr relay(new Relay(loop, std::move(client), std::move(upstream), std::move(terms)));
  relay->start();
}

}  // namespace agentrun::proxy
