#pragma once
constexpr int sideOf = 1;
