//! Cheapest assignment of the units of a side to their squares in the starting position.

/// Units of a side, and squares in the starting position.
pub const UNITS: usize = 16;

/// What an assignment costs that is impossible.
pub const IMPOSSIBLE: i32 = 20_000;

/// The costs of a unit, one for each square of the starting position.
pub type Costs = [u16; UNITS];

/// An assignment of least cost, by the Hungarian method. The potentials prove that it is least: no
/// cost is below the sum of the potentials of its row and column, and those assigned are equal to
/// it.
#[derive(Clone, Debug)]
pub struct Assignment {
    costs: [Costs; UNITS],
    rows: [i32; UNITS],
    columns: [i32; UNITS],
    /// The row that each column is assigned to.
    row_of: [u8; UNITS],
    /// The column that each row is assigned to.
    column_of: [u8; UNITS],
    total: i32,
}

/// What changes if the costs of a row do.
#[derive(Clone, Copy, Debug)]
pub struct Reassignment {
    /// The cost of the new assignment.
    pub total: i32,
    /// Rows that change their columns: the first is the row of new costs.
    moved: [(u8, u8); UNITS],
    len: usize,
}

impl Reassignment {
    /// The rows that get other columns, with those.
    pub fn moved(&self) -> &[(u8, u8)] {
        &self.moved[..self.len]
    }
}

impl Assignment {
    pub fn of(costs: [Costs; UNITS]) -> Assignment {
        let mut assignment = Assignment {
            costs,
            rows: [0; UNITS],
            columns: [0; UNITS],
            row_of: [u8::MAX; UNITS],
            column_of: [u8::MAX; UNITS],
            total: 0,
        };
        for row in 0..UNITS {
            assignment.assign(row);
        }
        assignment.total = (0..UNITS).map(|row| i32::from(assignment.costs[row][usize::from(assignment.column_of[row])])).sum();
        assignment
    }

    pub fn total(&self) -> i32 {
        self.total
    }

    pub fn column_of(&self, row: usize) -> usize {
        usize::from(self.column_of[row])
    }

    /// Assigns a row that has no column, on a shortest augmenting path.
    fn assign(&mut self, row: usize) {
        let free = |column: usize| self.row_of[column] == u8::MAX;
        let mut path = Path::from(&self.costs[row], &self.columns);
        let (end, distance) = loop {
            let (column, distance) = path.nearest();
            if free(column) {
                break (column, distance);
            }
            let next = usize::from(self.row_of[column]);
            path.relax(column, distance, &self.costs[next], self.rows[next], &self.columns);
        };
        // The potentials of what has been visited follow the distances.
        self.rows[row] = path.shift + distance;
        for column in 0..UNITS {
            if path.visited & (1 << column) != 0 && column != end {
                let gain = distance - path.distances[column];
                self.columns[column] -= gain;
                self.rows[usize::from(self.row_of[column])] += gain;
            }
        }
        let mut column = end;
        loop {
            let before = path.before[column];
            let of = if before == u8::MAX { row } else { usize::from(self.row_of[usize::from(before)]) };
            self.row_of[column] = of as u8;
            self.column_of[of] = column as u8;
            if before == u8::MAX {
                break;
            }
            column = usize::from(before);
        }
    }

    /// The assignment if a row had other costs.
    pub fn with_costs(&self, row: usize, costs: &Costs) -> Reassignment {
        let end = usize::from(self.column_of[row]);
        let mut path = Path::from(costs, &self.columns);
        let distance = loop {
            let (column, distance) = path.nearest();
            if column == end {
                break distance;
            }
            let next = usize::from(self.row_of[column]);
            path.relax(column, distance, &self.costs[next], self.rows[next], &self.columns);
        };
        let total = self.total - i32::from(self.costs[row][end]) + distance + path.shift + self.columns[end];
        let mut change = Reassignment { total, moved: [(0, 0); UNITS], len: 0 };
        let mut column = end;
        loop {
            let before = path.before[column];
            let of = if before == u8::MAX { row as u8 } else { self.row_of[usize::from(before)] };
            change.moved[change.len] = (of, column as u8);
            change.len += 1;
            if before == u8::MAX {
                return change;
            }
            column = usize::from(before);
        }
    }
}

/// Dijkstra's algorithm over columns.
struct Path {
    distances: [i32; UNITS],
    before: [u8; UNITS],
    visited: u32,
    /// Taken from the costs of the first row, so that none is negative.
    shift: i32,
}

impl Path {
    fn from(costs: &Costs, columns: &[i32; UNITS]) -> Path {
        let mut distances = [0; UNITS];
        for column in 0..UNITS {
            distances[column] = i32::from(costs[column]) - columns[column];
        }
        let shift = distances.iter().copied().min().unwrap_or(0);
        for distance in &mut distances {
            *distance -= shift;
        }
        Path { distances, before: [u8::MAX; UNITS], visited: 0, shift }
    }

    /// Visits the nearest column.
    fn nearest(&mut self) -> (usize, i32) {
        let (mut best, mut distance) = (0, i32::MAX);
        for column in 0..UNITS {
            if self.visited & (1 << column) == 0 && self.distances[column] < distance {
                (best, distance) = (column, self.distances[column]);
            }
        }
        self.visited |= 1 << best;
        (best, distance)
    }

    /// Goes on from a column to the others of its row.
    fn relax(&mut self, from: usize, distance: i32, costs: &Costs, row: i32, columns: &[i32; UNITS]) {
        for column in 0..UNITS {
            let there = distance + i32::from(costs[column]) - row - columns[column];
            if self.visited & (1 << column) == 0 && there < self.distances[column] {
                self.distances[column] = there;
                self.before[column] = from as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of small numbers that are the same in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % end
        }
    }

    /// No change of two or three rows makes it cheaper.
    fn assert_cannot_be_improved(assignment: &Assignment) {
        let cost = |row: usize, of: usize| i32::from(assignment.costs[row][assignment.column_of(of)]);
        for a in 0..UNITS {
            for b in 0..UNITS {
                assert!(cost(a, b) + cost(b, a) >= cost(a, a) + cost(b, b));
                for c in 0..UNITS {
                    assert!(
                        cost(a, b) + cost(b, c) + cost(c, a) >= cost(a, a) + cost(b, b) + cost(c, c)
                            || a == b
                            || b == c
                            || a == c
                    );
                }
            }
        }
    }

    #[test]
    fn changed_costs_give_what_a_new_assignment_gives() {
        let mut numbers = Numbers(1);
        for _ in 0..500 {
            let mut costs = [[0; UNITS]; UNITS];
            costs.as_flattened_mut().fill_with(|| if numbers.below(3) == 0 { 20_000 } else { numbers.below(40) as u16 });
            let old = Assignment::of(costs);
            assert_cannot_be_improved(&old);
            let row = numbers.below(16) as usize;
            costs[row].fill_with(|| numbers.below(40) as u16);
            let new = Assignment::of(costs);
            let change = old.with_costs(row, &costs[row]);
            assert_eq!(change.total, new.total);
            let mut columns: Vec<usize> = (0..UNITS).map(|row| old.column_of(row)).collect();
            for &(row, column) in change.moved() {
                columns[usize::from(row)] = usize::from(column);
            }
            assert_eq!((0..UNITS).map(|row| i32::from(costs[row][columns[row]])).sum::<i32>(), new.total);
        }
    }
}
