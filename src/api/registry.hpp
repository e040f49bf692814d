// Plug-ins register themselves by name, in their own file:
//
//   PSLAB_REGISTER(Strategy, Relocation, "relocation", "moves keys to where they are used", "Lapse,
//   ...");
//
// From the registry come `pslab list`, `pslab describe`, config checks, the defaults file and the
// conformance tests: a new plug-in is in all of them at once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/options.hpp"

namespace pslab {

template <typename Interface>
class Registry {
 public:
  struct Entry {
    std::string name;
    std::string summary;  ///< one line
    std::string source;   ///< the publication an algorithm comes from; may be empty
    std::function<std::unique_ptr<Interface>(config::Options&)> make;
  };

  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  /// A name that is taken is an error: two plug-ins would hide each other.
  bool add(Entry entry) {
    const std::string name = entry.name;
    if (!entries_.emplace(name, std::move(entry)).second) {
      throw std::logic_error("plug-in '" + name + "' is registered twice");
    }
    return true;
  }

  /// `kind` ("strategy") and `where` ("FILE:LINE: strategy.name") only serve the message.
  const Entry& find(const std::string& name, const std::string& kind,
                    const std::string& where) const {
    const auto found = entries_.find(name);
    if (found != entries_.end()) return found->second;
    fail_input("{}: unknown {} '{}'.{} Known: {}.", where, kind, printable(name),
               did_you_mean(name, names()), join(names(), ", "));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, entry] : entries_) all.push_back(name);
    return all;
  }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace pslab

#define PSLAB_REGISTER(Interface, Class, name, summary, source)                          \
  const bool registered_##Class = ::pslab::Registry<::pslab::Interface>::instance().add( \
      {name, summary, source,                                                            \
       [](::pslab::config::Options& options) { return std::make_unique<Class>(options); }})
