// Hashes and normalisation: what makes a site the same site in the next build.
#include <string>

#include "edit/lexer.h"
#include "sites/table.h"

namespace cui::sites {
namespace {

constexpr std::uint64_t fnvStart = 0xcbf29ce484222325u;

std::uint64_t fnv(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

/// Calls `put` for each token of `source` that is neither space nor comment, saying if any stood before it.
template <class Put>
void forEachToken(std::string_view source, Put put) {
  edit::Lexer lexer(source);
  edit::Token token;
  bool separated = false;
  while (lexer.next(token)) {
    if (token.kind == edit::TokenKind::space || token.kind == edit::TokenKind::comment) {
      separated = true;
      continue;
    }
    put(source.substr(token.begin, token.end - token.begin), separated);
    separated = false;
  }
}

/// The tokens with a separator between any two, so that formatting cannot change a site's id.
std::string tokensOf(std::string_view source) {
  std::string result;
  forEachToken(source, [&](std::string_view token, bool) { result.append(token).push_back('\x1f'); });
  return result;
}

}  // namespace

std::uint64_t textHash(std::string_view text) {
  return fnv(text, fnvStart);
}

std::string normalise(std::string_view source) {
  std::string result;
  forEachToken(source, [&](std::string_view token, bool separated) {
    if (separated && !result.empty()) result += ' ';
    result += token;
  });
  return result;
}

std::uint64_t stableId(std::string_view function, std::string_view expression, Kind kind,
                       std::uint32_t ordinal) {
  std::uint64_t hash = fnv(function, fnvStart);
  hash = fnv(std::string_view("\0", 1), hash);
  hash = fnv(tokensOf(expression), hash);
  const char tail[] = {'\0',
                       static_cast<char>(kind),
                       static_cast<char>(ordinal),
                       static_cast<char>(ordinal >> 8),
                       static_cast<char>(ordinal >> 16),
                       static_cast<char>(ordinal >> 24)};
  hash = fnv(std::string_view(tail, sizeof tail), hash);
  // FNV's high bits mix poorly over short inputs, and the id is cut to 63: one round of splitmix64.
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  hash = (hash ^ (hash >> 31)) & 0x7fffffffffffffffu;
  return hash ? hash : 1;
}

}  // namespace cui::sites
