// What src/device declares and the SIMT passes and the runtime define, for one thread alone.

#include <cstdlib>

extern "C" {
unsigned __heald_tid_x() {
    return 0;
}
unsigned __heald_tid_y() {
    return 0;
}
unsigned __heald_tid_z() {
    return 0;
}
unsigned __heald_bid_x() {
    return 0;
}
unsigned __heald_bid_y() {
    return 0;
}
unsigned __heald_bid_z() {
    return 0;
}
unsigned __heald_bdim_x() {
    return 1;
}
unsigned __heald_bdim_y() {
    return 1;
}
unsigned __heald_bdim_z() {
    return 1;
}
unsigned __heald_gdim_x() {
    return 1;
}
unsigned __heald_gdim_y() {
    return 1;
}
unsigned __heald_gdim_z() {
    return 1;
}
unsigned __heald_lane() {
    return 0;
}
unsigned __heald_activemask() {
    return 1;
}
int __heald_shfl_i32(unsigned, int value, unsigned) {
    return value;
}
unsigned __heald_ballot(unsigned, int predicate) {
    return predicate != 0;
}
[[noreturn]] void __heald_trap(unsigned, unsigned, unsigned) {
    std::abort();
}
}
