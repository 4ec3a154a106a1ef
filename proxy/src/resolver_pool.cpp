#include "resolver_pool.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quiet_thread.hpp"

namespace agentrun::proxy {
namespace {

constexpr std::chrono::seconds idle_time{5};

}  // namespace

struct ResolverPool::Shared {
  struct Worker {
    std::thread thread;
    bool is_busy = true;
    bool has_left = false;
  };

  explicit Shared(BlockingLookup call) : lookup(std::move(call)) {}

  static void work(const std::shared_ptr<Shared>& self, Worker& worker);
  void start_worker(const std::shared_ptr<Shared>& self);
  void join_left();

  const BlockingLookup lookup;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> queue;
  std::unordered_map<std::string, std::vector<Done>> waiting;  ///< for each name queued or being looked up
  std::list<Worker> workers;
  std::size_t idle = 0;
  bool is_stopping = false;
};

void ResolverPool::Shared::work(const std::shared_ptr<Shared>& self, Worker& worker) {
  std::unique_lock lock(self->mutex);
  for (;;) {
    worker.is_busy = false;
    ++self->idle;
    const bool has_work =
        self->changed.wait_for(lock, idle_time, [&] { return self->is_stopping || !self->queue.empty(); });
    --self->idle;
    if (self->is_stopping || !has_work) {
      worker.has_left = true;
      return;
    }
    worker.is_busy = true;
    const std::string name = std::move(self->queue.front());
    self->queue.pop_front();

    lock.unlock();
    const Addresses addresses = self->lookup(name);
    lock.lock();
    // The destructor has let this thread go, and `worker` with it.
    if (self->is_stopping) return;

    const auto found = self->waiting.find(name);
    const std::vector<Done> callbacks = std::move(found->second);
    self->waiting.erase(found);
    lock.unlock();
    for (const Done& done : callbacks) done(addresses);
    lock.lock();
    if (self->is_stopping) return;
  }
}

void ResolverPool::Shared::start_worker(const std::shared_ptr<Shared>& self) {
  join_left();
  Worker& worker = workers.emplace_back();
  try {
    worker.thread = start_quiet_thread([self, &worker] { work(self, worker); });
  } catch (const std::system_error&) {
    workers.pop_back();
    if (workers.empty()) throw;
  }
}

void ResolverPool::Shared::join_left() {
  for (auto worker = workers.begin(); worker != workers.end();) {
    if (!worker->has_left) {
      ++worker;
      continue;
    }
    worker->thread.join();
    worker = workers.erase(worker);
  }
}

ResolverPool::ResolverPool(BlockingLookup lookup) : shared_(std::make_shared<Shared>(std::move(lookup))) {}

ResolverPool::~ResolverPool() {
  std::vector<std::thread> leaving;
  {
    const std::lock_guard lock(shared_->mutex);
    shared_->is_stopping = true;
    for (Shared::Worker& worker : shared_->workers) {
      if (worker.is_busy) {
        worker.thread.detach();
      } else {
        leaving.push_back(std::move(worker.thread));
      }
    }
    shared_->waiting.clear();
  }
  shared_->changed.notify_all();
  for (std::thread& thread : leaving) thread.join();
}

void ResolverPool::resolve(const std::string& name, Done done) {
  const std::lock_guard lock(shared_->mutex);
  std::vector<Done>& callbacks = shared_->waiting[name];
  callbacks.push_back(std::move(done));
  if (callbacks.size() > 1) return;
  shared_->queue.push_back(name);
  if (shared_->idle < shared_->queue.size() && shared_->workers.size() < max_threads) shared_->start_worker(shared_);
  shared_->changed.notify_one();
}

}  // namespace agentrun::proxy
