// The world in which a run takes place: what may differ between two identical runs (env.json), and
// the version of pslab.
#pragma once

#include <string>

#include "run/json.hpp"

namespace pslab::run {

/// Short name of the checkout's commit, with "-dirty" if tracked files were changed; "unknown" if
/// `root` is no checkout. Looked up at run time, so that committing rebuilds nothing.
std::string commit_of(const std::string& root);

/// Host, processor, operating system, compiler, build; the same for all runs of a process.
Json environment(const std::string& root, const std::string& command_line);

/// Fingerprint of this program's file, or "": tells results of another build.
std::string program_fingerprint();

/// "debug build", "built with the address sanitizer", or "" for a build whose speed means
/// something.
std::string slow_build();

}  // namespace pslab::run
