#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heald {

/// Keeps the most recently used values, within a total cost. Not locked.
template <class Key, class Value, class Hash = std::hash<Key>>
class LruCache {
public:
    explicit LruCache(std::size_t capacity) : capacity_(capacity) {}

    /// The value, now the most recent one; null if it is not there. Valid until the next change.
    [[nodiscard]] Value* find(const Key& key) {
        const auto found = index_.find(key);
        if (found == index_.end()) return nullptr;
        entries_.splice(entries_.begin(), entries_, found->second);
        return &found->second->value;
    }

    /// Replaces a value of that key. One that costs more than the whole capacity is not kept.
    /// Returns what had to go for it.
    std::vector<Value> insert(const Key& key, Value value, std::size_t cost = 1) {
        erase(key);
        if (cost > capacity_) return {};
        std::vector<Value> dropped = shrink(capacity_ - cost);
        entries_.push_front({key, std::move(value), cost});
        index_.emplace(key, entries_.begin());
        cost_ += cost;
        return dropped;
    }

    /// Drops the values used longest ago until the others cost at most that, and returns them.
    std::vector<Value> shrink(std::size_t cost) {
        std::vector<Value> dropped;
        while (cost_ > cost) {
            dropped.push_back(std::move(entries_.back().value));
            erase(entries_.back().key);
        }
        return dropped;
    }

    /// What is kept from now on; shrink() drops what is too much.
    void set_capacity(std::size_t capacity) noexcept { capacity_ = capacity; }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    bool erase(Key key) {  // by value: `key` may live in the entry
        const auto found = index_.find(key);
        if (found == index_.end()) return false;
        cost_ -= found->second->cost;
        entries_.erase(found->second);
        index_.erase(found);
        return true;
    }

    void clear() {
        index_.clear();
        entries_.clear();
        cost_ = 0;
    }

    [[nodiscard]] std::size_t size() const noexcept { return index_.size(); }
    [[nodiscard]] std::size_t cost() const noexcept { return cost_; }

private:
    struct Entry {
        Key key;
        Value value;
        std::size_t cost;
    };

    std::size_t capacity_;
    std::size_t cost_ = 0;
    std::list<Entry> entries_;
    std::unordered_map<Key, typename std::list<Entry>::iterator, Hash> index_;
};

}  // namespace heald
