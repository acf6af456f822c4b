# Options, language level, warnings and output folders shared by every part.
include(GNUInstallDirs)
include(CTest)

option(CUI_BUILD_REWRITER "Build cuinstrument-rewrite (needs LLVM and Clang)" ON)
option(CUI_BUILD_TESTS "Build the tests" ON)
option(CUI_BUILD_BENCH "Build the benchmarks" OFF)
option(CUI_UNITY "Compile large targets in batches of files, which takes a third of the time of all, but not of one" ON)
set(CUI_LLVM_VERSION 22 CACHE STRING "LLVM and Clang major version for the rewriter (22 or 19)")
set(CUI_SANITIZE "" CACHE STRING "Sanitizers for our own code: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# One layout in the build tree and when installed: bin/, lib/, include/, share/cuinstrument/.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CUI_BUILD_INCLUDE "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_INCLUDEDIR}")

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

# cui_warnings is linked PRIVATE by every target of ours.
add_library(cui_warnings INTERFACE)
target_compile_options(cui_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                                              -Wold-style-cast -Wcast-qual -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(cui_warnings INTERFACE -Wno-restrict)  # false alarms on "x" + std::string
endif()
if(CUI_SANITIZE)
  # Stacks with lines are what reports need. What UBSan finds is an error, too, and not only a line in a log.
  add_compile_options(-fsanitize=${CUI_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  # Not the toolkit's enumerations, of which tests pass numbers that are none, nor steps from addresses at which there is
  # nothing: the recorder takes what it is given.
  add_compile_options(-fno-sanitize=enum,pointer-overflow)
  # Registered file by file: the library for programs is one object, whose sections are not this one's.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CUI_SANITIZE MATCHES "address")
    add_compile_options(-fno-sanitize-address-globals-dead-stripping)
  endif()
  add_link_options(-fsanitize=${CUI_SANITIZE})
endif()

# Headers (Clang's, the standard library's, GoogleTest's) are most of what a file takes to compile: a batch reads them
# once. What files have in unnamed namespaces is therefore named apart from the others' of its target.
# cui_compile_in_batches(<target> [<files in a batch>])
function(cui_compile_in_batches target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${CUI_UNITY}" UNITY_BUILD_BATCH_SIZE "${ARGV1}")
  if(NOT ARGV1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()
