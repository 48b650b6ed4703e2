#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

namespace heald {

/// Extents or strides, one for each axis: a vector of integers that needs no memory of its own for
/// up to six axes.
class Shape {
public:
    using value_type = std::int64_t;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = value_type&;
    using const_reference = const value_type&;
    using iterator = value_type*;
    using const_iterator = const value_type*;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using const_reverse_iterator = std::reverse_iterator<const_iterator>;

    Shape() noexcept = default;
    explicit Shape(std::size_t count, value_type value = 0) { resize(count, value); }
    Shape(std::initializer_list<value_type> values) : Shape(values.begin(), values.end()) {}
    template <std::input_iterator Iterator>
    Shape(Iterator first, Iterator last) {
        for (; first != last; ++first) push_back(static_cast<value_type>(*first));
    }
    Shape(const std::vector<value_type>& values)  // NOLINT(google-explicit-constructor)
        : Shape(values.begin(), values.end()) {}
    Shape(const Shape& other) {
        reserve(other.size_);
        copy_from(other);
    }
    Shape(Shape&& other) noexcept { take(other); }
    Shape& operator=(const Shape& other) {
        if (this == &other) return *this;
        size_ = 0;
        reserve(other.size_);
        copy_from(other);
        return *this;
    }
    Shape& operator=(Shape&& other) noexcept {
        if (this == &other) return *this;
        release();
        take(other);
        return *this;
    }
    Shape& operator=(std::initializer_list<value_type> values) {
        assign(values.begin(), values.end());
        return *this;
    }
    ~Shape() { release(); }

    operator std::vector<value_type>() const {  // NOLINT(google-explicit-constructor)
        return {begin(), end()};
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] value_type* data() noexcept { return data_; }
    [[nodiscard]] const value_type* data() const noexcept { return data_; }
    value_type& operator[](std::size_t axis) noexcept { return data_[axis]; }
    const value_type& operator[](std::size_t axis) const noexcept { return data_[axis]; }
    [[nodiscard]] value_type& front() noexcept { return data_[0]; }
    [[nodiscard]] const value_type& front() const noexcept { return data_[0]; }
    [[nodiscard]] value_type& back() noexcept { return data_[size_ - 1]; }
    [[nodiscard]] const value_type& back() const noexcept { return data_[size_ - 1]; }
    [[nodiscard]] iterator begin() noexcept { return data_; }
    [[nodiscard]] iterator end() noexcept { return data_ + size_; }
    [[nodiscard]] const_iterator begin() const noexcept { return data_; }
    [[nodiscard]] const_iterator end() const noexcept { return data_ + size_; }
    [[nodiscard]] const_iterator cbegin() const noexcept { return begin(); }
    [[nodiscard]] const_iterator cend() const noexcept { return end(); }
    [[nodiscard]] reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
    [[nodiscard]] reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
    [[nodiscard]] const_reverse_iterator rbegin() const noexcept {
        return const_reverse_iterator(end());
    }
    [[nodiscard]] const_reverse_iterator rend() const noexcept {
        return const_reverse_iterator(begin());
    }

    void reserve(std::size_t count) {
        if (count > capacity_) grow(count);
    }
    void clear() noexcept { size_ = 0; }
    void resize(std::size_t count, value_type value = 0) {
        reserve(count);
        std::fill(data_ + std::min<std::size_t>(size_, count), data_ + count, value);
        size_ = static_cast<std::uint32_t>(count);
    }
    template <std::input_iterator Iterator>
    void assign(Iterator first, Iterator last) {
        Shape fresh(first, last);
        *this = std::move(fresh);
    }
    void assign(std::size_t count, value_type value) {
        size_ = 0;
        resize(count, value);
    }
    void push_back(value_type value) {
        if (size_ == capacity_) grow(std::size_t{2} * capacity_);
        data_[size_++] = value;
    }
    value_type& emplace_back(value_type value = 0) {
        push_back(value);
        return back();
    }
    void pop_back() noexcept { --size_; }
    iterator insert(const_iterator where, value_type value) { return insert(where, 1, value); }
    iterator insert(const_iterator where, std::size_t count, value_type value) {
        const std::ptrdiff_t at = open_gap(where, count);
        std::fill_n(data_ + at, count, value);
        return data_ + at;
    }
    template <std::forward_iterator Iterator>
    iterator insert(const_iterator where, Iterator first, Iterator last) {
        const std::vector<value_type> values(first, last);  // they may be this shape's own
        const std::ptrdiff_t at = open_gap(where, values.size());
        std::copy(values.begin(), values.end(), data_ + at);
        return data_ + at;
    }
    iterator erase(const_iterator where) { return erase(where, where + 1); }
    iterator erase(const_iterator first, const_iterator last) {
        const std::ptrdiff_t at = first - data_;
        std::move(data_ + (last - data_), end(), data_ + at);
        size_ -= static_cast<std::uint32_t>(last - first);
        return data_ + at;
    }

    friend bool operator==(const Shape& a, const Shape& b) noexcept {
        return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
    }
    friend auto operator<=>(const Shape& a, const Shape& b) noexcept {
        return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
    }

private:
    static constexpr std::uint32_t inside = 6;

    void copy_from(const Shape& other) noexcept {
        std::copy(other.begin(), other.end(), data_);
        size_ = other.size_;
    }
    /// Its own memory is free.
    void take(Shape& other) noexcept {
        if (other.data_ == other.inside_) {
            copy_from(other);
        } else {
            data_ = std::exchange(other.data_, other.inside_);
            capacity_ = std::exchange(other.capacity_, inside);
            size_ = other.size_;
        }
        other.size_ = 0;
    }
    void release() noexcept {
        if (data_ != inside_) delete[] data_;
        data_ = inside_;
        capacity_ = inside;
        size_ = 0;
    }
    void grow(std::size_t count) {
        auto* larger = new value_type[count];  // in place of std::vector
        std::copy(begin(), end(), larger);
        if (data_ != inside_) delete[] data_;
        data_ = larger;
        capacity_ = static_cast<std::uint32_t>(count);
    }
    std::ptrdiff_t open_gap(const_iterator where, std::size_t count) {
        const std::ptrdiff_t at = where - data_;
        reserve(size_ + count);
        std::move_backward(data_ + at, end(), end() + count);
        size_ += static_cast<std::uint32_t>(count);
        return at;
    }

    value_type* data_ = inside_;
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = inside;
    value_type inside_[inside];
};

}  // namespace heald
