#pragma once
constexpr int setting = 3;
