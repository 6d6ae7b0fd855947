// Clocks, memory, randomness and signals of the host.
// SPDX-License-Identifier: Apache-2.0
#include "cli/host.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <sys/resource.h>
#include <time.h>  // NOLINT: clock_gettime is POSIX

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace assay::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;
constexpr std::array kInterrupts = {SIGINT, SIGTERM, SIGHUP};

void OnInterrupt(int number) {
  interrupted = 1;
  std::signal(number, SIG_DFL);
}

}  // namespace

double ProcessCpuMs() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 +
         static_cast<double>(now.tv_nsec) / 1e6;
}

uint64_t PeakResidentBytes() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind("VmHWM:", 0) != 0) continue;
    return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

void ResetPeakResident() { std::ofstream("/proc/self/clear_refs") << "5"; }

Result<uint64_t> RandomSeed() {
  std::ifstream source("/dev/urandom", std::ios::binary);
  uint64_t seed = 0;
  while (seed == 0) {
    std::array<char, sizeof(seed)> bytes = {};
    if (!source.read(bytes.data(), bytes.size())) {
      return Error{Code::kIo, "the system gives no random numbers",
                   "/dev/urandom can not be read; --point FILE names a point"};
    }
    std::memcpy(&seed, bytes.data(), sizeof(seed));
  }
  return seed;
}

void CatchInterrupts() {
  for (const int number : kInterrupts) {
    // Who started us may have said that one means nothing (nohup).
    struct sigaction action = {};
    if (sigaction(number, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    // Without SA_RESTART: a read that waits for somebody ends.
    action.sa_handler = OnInterrupt;
    sigaction(number, &action, nullptr);
  }
}

void ReleaseInterrupts() {
  for (const int number : kInterrupts) {
    struct sigaction action = {};
    if (sigaction(number, nullptr, &action) != 0) continue;
    if (action.sa_handler == OnInterrupt) std::signal(number, SIG_DFL);
  }
}

void IgnoreFileSizeSignal() { std::signal(SIGXFSZ, SIG_IGN); }

bool Interrupted() { return interrupted != 0; }

}  // namespace assay::cli
