#pragma once
constexpr int sideOf = 2;
