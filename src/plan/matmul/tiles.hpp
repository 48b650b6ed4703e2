#pragma once

#include <algorithm>
#include <cstdint>

namespace heald::plan {

/// A part of a stack of products: some of them, some rows and columns of the results.
struct Tile {
    std::int64_t product = 0, products = 1;
    std::int64_t row = 0, rows = 0;
    std::int64_t column = 0, columns = 0;
};

/// Products divided among threads: into runs of products where there are enough of them, else each
/// into a grid of tiles.
class TileGrid {
public:
    TileGrid(std::int64_t products, std::int64_t m, std::int64_t n, std::int64_t k,
             std::int64_t threads)
        : products_(products), m_(m), n_(n) {
        const double work =
            2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
        const auto useful = [&](double amount) {
            return std::clamp<std::int64_t>(static_cast<std::int64_t>(amount / least_work), 1,
                                            threads);
        };
        if (products > 1) {
            const std::int64_t runs =
                std::min(products, useful(work * static_cast<double>(products)));
            run_ = (products + runs - 1) / runs;
            runs_ = (products + run_ - 1) / run_;
            if (products >= threads) {
                set_tiles(1, 1);
                return;
            }
            run_ = 1;
            runs_ = products;
        }
        divide(std::max<std::int64_t>(useful(work) / runs_, 1));
    }

    [[nodiscard]] std::int64_t pieces() const noexcept { return runs_ * down_ * across_; }
    [[nodiscard]] Tile tile(std::int64_t piece) const noexcept {
        const std::int64_t run = piece / (down_ * across_);
        const std::int64_t place = piece % (down_ * across_);
        Tile tile;
        tile.product = run * run_;
        tile.products = std::min(run_, products_ - tile.product);
        tile.row = place / across_ * rows_;
        tile.rows = std::min(rows_, m_ - tile.row);
        tile.column = place % across_ * columns_;
        tile.columns = std::min(columns_, n_ - tile.column);
        return tile;
    }

private:
    static constexpr double least_work = 4e6;      ///< operations worth another thread
    static constexpr std::int64_t row_block = 16;  ///< libraries compute blocks of about this
    static constexpr std::int64_t column_block = 64;

    static std::int64_t rounded(std::int64_t extent, std::int64_t parts, std::int64_t block) {
        const std::int64_t part = (extent + parts - 1) / parts;
        return std::min(extent, (part + block - 1) / block * block);
    }
    void set_tiles(std::int64_t down, std::int64_t across) {
        rows_ = rounded(m_, down, row_block);
        columns_ = rounded(n_, across, column_block);
        down_ = (m_ + rows_ - 1) / rows_;
        across_ = (n_ + columns_ - 1) / columns_;
    }
    /// The grid of `parts` tiles that reads least: the largest tile decides, then its edges.
    void divide(std::int64_t parts) {
        double best = 0;
        std::int64_t best_down = 1;
        for (std::int64_t down = 1; down <= parts; ++down) {
            if (parts % down != 0) continue;
            set_tiles(down, parts / down);
            const double cost = static_cast<double>(rows_) * static_cast<double>(columns_) +
                                64.0 * static_cast<double>(rows_ + columns_);
            if (down == 1 || cost < best) {
                best = cost;
                best_down = down;
            }
        }
        set_tiles(best_down, parts / best_down);
    }

    std::int64_t products_, m_, n_;
    std::int64_t runs_ = 1, run_ = 1;
    std::int64_t down_ = 1, across_ = 1;
    std::int64_t rows_ = 0, columns_ = 0;
};

}  // namespace heald::plan
