"""The phase diagram: who wins a cell, what it says of ties, gaps and copies that are too old."""

import math

import matplotlib.image
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from analysis import style
from analysis.contest import grid_of
from analysis.errors import NothingToDraw
from analysis.figures import phase_diagram
from tests.analysis.sample import run, write_events
from tests.analysis.test_figures import FigureCase, legend_of, view_of, words

TIMES = {"static": 0.4, "relocation": 0.3, "hybrid": 0.2}


def cell_run(strategy: str, zipf: str, share: str, epoch_time_s: float | None = None, *,
             platform: str = "ethernet-10g", **other) -> list[dict[str, str]]:
    """A run of two epochs in a cell of zipf x sample share."""
    values = {"config_hash": f"{strategy}{zipf}{share}{platform}", "platform": platform,
              "run": f"{strategy}-{zipf}-{share}-{platform}-{other.get('repeat', 1)}",
              "sweep.cluster.platform": platform, "sweep.workload.zipf": zipf,
              "sweep.workload.sample_share": share, "nodes": 8} | other
    time = TIMES[strategy] if epoch_time_s is None else epoch_time_s
    rows = run(strategy, epoch_time_s=time, **values)
    for row in rows:
        row["sync_rounds"] = other.get("sync_rounds", "0")
        del row["sweep.cluster.nodes"]
    return rows


def square(**platform) -> list[list[dict[str, str]]]:
    """Three strategies in two by two cells: hybrid wins everywhere, 1.5 times faster."""
    return [cell_run(strategy, zipf, share, **platform) for zipf in ("0", "1.5")
            for share in ("0", "0.5") for strategy in TIMES]


def without(runs, *names: str):
    return [rows for rows in runs if rows[0]["run"].rpartition("-ethernet")[0] not in names]


def texts(axes) -> dict[tuple[int, int], list[str]]:
    """What each cell says, line by line."""
    said: dict[tuple[int, int], list[str]] = {}
    for text in axes.texts:
        at = getattr(text, "xy", None) or text.get_position()
        said.setdefault(tuple(map(int, at)), []).append(text.get_text())
    return said


def colours(axes, column: int, row: int) -> list[str]:
    """Of the filled shapes in a cell."""
    inside = [patch for patch in axes.patches if patch.get_facecolor()[3] > 0
              and patch.get_path().transformed(patch.get_patch_transform())
              .get_extents().get_points().tolist()
              == [[column - 0.5, row - 0.5], [column + 0.5, row + 0.5]]]
    return [to_hex(patch.get_facecolor()).upper() for patch in inside]


class PhaseDiagram(FigureCase):
    def draw(self, runs, **files):
        folder = self.write(runs)
        for name, text in files.items():
            (folder / name.replace("__", "-") / "config.yaml").write_text(text)
        return phase_diagram.draw(view_of(folder))

    def test_each_cell_names_the_fastest_and_how_much_slower_the_next_one_is(self):
        runs = without(square(), "static-1.5-0.5")
        runs.append(cell_run("static", "1.5", "0.5", 0.1))
        figure = self.draw(runs)
        (axes,) = figure.axes
        self.assertEqual(texts(axes), {(0, 0): ["hybr", "1.50×"], (0, 1): ["hybr", "1.50×"],
                                       (1, 0): ["hybr", "1.50×"], (1, 1): ["stat", "2.00×"]})
        self.assertEqual(colours(axes, 0, 0), [style.tint(style.VERMILLION)])
        self.assertEqual(colours(axes, 1, 1), [style.tint(style.BLUE)])
        self.assertEqual(legend_of(figure), ["hybr: hybrid", "stat: static"])
        self.assertIn("Fastest nowhere: relocation.", words(figure))

    def test_axes_are_the_swept_numbers_in_order_of_their_values(self):
        (axes,) = self.draw(list(reversed(square()))).axes
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("zipf", "sample share"))
        self.assertEqual([label.get_text() for label in axes.get_xticklabels()], ["0", "1.5"])
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["0", "0.5"])

    def test_a_third_option_gives_panels(self):
        figure = self.draw(square() + square(platform="loopback"))
        self.assertEqual([axes.get_title() for axes in figure.axes], ["ethernet-10g", "loopback"])
        self.assertEqual([len(texts(axes)) for axes in figure.axes], [4, 4])

    def test_of_three_numbers_the_one_with_the_fewest_values_gives_panels(self):
        runs = [cell_run(strategy, zipf, share, **{
            "sweep.workload.locality": local, "config_hash": f"{strategy}{zipf}{share}{local}",
            "run": f"{strategy}{zipf}{share}{local}"})
            for strategy in ("static", "hybrid") for local in ("0.2", "0.9")
            for zipf in ("0", "1", "2") for share in ("0", "0.25", "0.5")]
        figure = self.draw(runs)
        self.assertEqual([axes.get_title() for axes in figure.axes],
                         ["locality 0.2", "locality 0.9"])

    def test_the_first_epoch_does_not_count(self):
        runs = without(square(), "static-0-0")
        slow_start = cell_run("static", "0", "0", 0.1)
        slow_start[0]["epoch_time_s"] = "9.0"
        (axes,) = self.draw([*runs, slow_start]).axes
        self.assertEqual(texts(axes)[0, 0], ["stat", "2.00×"])

    def test_times_within_two_per_cent_are_a_tie_in_two_colours(self):
        runs = without(square(), "relocation-0-0", "static-0-0.5", "relocation-0-0.5")
        runs += [cell_run("relocation", "0", "0", 0.2035), cell_run("relocation", "0", "0.5", 0.2),
                 cell_run("static", "0", "0.5", 0.2)]
        figure = self.draw(runs)
        (axes,) = figure.axes
        self.assertEqual(texts(axes)[0, 0], ["hybr", "= relo", "2.00×"])
        self.assertEqual(colours(axes, 0, 0), [style.tint(style.VERMILLION),
                                               style.tint(style.GREEN)])
        self.assertEqual(texts(axes)[0, 1][1:], [texts(axes)[0, 1][1][:6] + " +1", "tie"])
        self.assertIn("a tie (within 2 % of each other)", words(figure))

    def test_times_whose_intervals_overlap_are_a_tie(self):
        runs = without(square(), "hybrid-0-0", "relocation-0-0")
        runs += [cell_run("hybrid", "0", "0", time, repeat=repeat)
                 for repeat, time in enumerate((0.20, 0.24), start=1)]
        runs += [cell_run("relocation", "0", "0", time, repeat=repeat)
                 for repeat, time in enumerate((0.26, 0.28), start=1)]
        figure = self.draw(runs)
        self.assertEqual(texts(figure.axes[0])[0, 0], ["hybr", "= relo", f"{0.4 / 0.22:.2f}×"])
        self.assertIn("or 95 % intervals overlap", words(figure))

    def test_cells_without_results_are_hatched_and_incomplete_ones_marked(self):
        runs = without(square(), "static-0-0", "static-1.5-0", "relocation-1.5-0", "hybrid-1.5-0")
        runs.append(cell_run("static", "0", "0", status="failed", error="out of memory"))
        figure = self.draw(runs)
        (axes,) = figure.axes
        self.assertEqual(texts(axes)[0, 0], ["hybr", "1.50×*"])
        self.assertEqual(texts(axes)[1, 0], ["none*"])
        self.assertEqual([patch.get_hatch() for patch in axes.patches if patch.get_hatch()],
                         [phase_diagram.EMPTY_HATCH])
        self.assertIn("* not every strategy has a result here.", words(figure))
        self.assertIn("out of memory", words(figure))

    def test_a_column_of_which_all_runs_failed_is_there(self):
        runs = square() + [cell_run(strategy, "2", share, status="failed")
                           for strategy in TIMES for share in ("0", "0.5")]
        self.assertEqual(texts(self.draw(runs).axes[0])[2, 0], ["none*"])

    def test_replicas_that_are_rarely_synchronised_do_not_win(self):
        asked = "strategy: {name: hybrid, sync_rate: 100}\n"
        runs = without(square(), "hybrid-0-0", "hybrid-1.5-0")
        runs += [cell_run("hybrid", "0", "0", sync_rounds="9"),  # of 20 in 0.2 s
                 cell_run("hybrid", "1.5", "0", sync_rounds="11")]
        figure = self.draw(runs, **{f"hybrid-{zipf}-0-ethernet-10g-1": asked
                                    for zipf in ("0", "1.5")})
        self.assertEqual(texts(figure.axes[0])[0, 0], ["relo", "1.33×†"])
        self.assertEqual(texts(figure.axes[0])[1, 0], ["hybr", "1.50×"])
        self.assertIn("† hybrid was faster, but made less than 50 % of the", words(figure))

    def test_no_round_at_all_is_too_rare_only_where_something_is_replicated(self):
        folder = self.write(square())
        for zipf, kinds in (("0", {"replica_delta": 1000}), ("1.5", {"pull": 1000})):
            target = folder / f"hybrid-{zipf}-0-ethernet-10g-1"
            (target / "config.yaml").write_text("strategy: {name: hybrid, sync_rate: 100}\n")
            write_events(target, [kinds, kinds])
        cells = grid_of(view_of(folder)).cells
        self.assertEqual(cells[0, 0, 0].winner.contestant, "relocation")
        self.assertEqual(cells[0, 1, 0].winner.contestant, "hybrid")

    def test_the_oracle_is_drawn_where_the_table_has_it(self):
        runs = without(square(), "hybrid-0-0")
        for rows in runs:
            for row in rows:
                row["oracle_s"] = ""
        figure = self.draw([*runs, cell_run("hybrid", "0", "0", oracle_s="0.125")])
        self.assertEqual(texts(figure.axes[0])[0, 0], ["hybr", "1.50×", "(1.6)"])
        self.assertEqual(texts(figure.axes[0])[1, 0], ["hybr", "1.50×"])
        self.assertIn("(n): the winner takes n times the lower bound of the oracle.",
                      words(figure))

    def test_variants_of_a_strategy_are_contestants_of_their_own(self):
        runs = [cell_run("hybrid", zipf, share, time, **{
            "sweep.strategy": f"hybrid (hot_factor {hot})", "run": f"{zipf}{share}{hot}",
            "config_hash": f"{zipf}{share}{hot}"})
            for zipf in ("0", "1") for share in ("0", "1")
            for hot, time in (("5", 0.1), ("50", 0.2))]
        figure = self.draw(runs + without(square(), *(f"hybrid-{zipf}-{share}"
                                                      for zipf in ("0", "1.5")
                                                      for share in ("0", "0.5"))))
        self.assertEqual(texts(figure.axes[0])[0, 0][0], "hybr1")
        self.assertIn("hybr1: hybrid (hot factor 5)", legend_of(figure))

    def test_text_stays_inside_its_cell(self):
        runs = square() + [cell_run(strategy, f"0.{place}", share) for place in range(1, 5)
                           for strategy in TIMES for share in ("0", "0.5")]
        runs = without(runs, "relocation-0-0") + [cell_run("relocation", "0", "0", 0.201)]
        figure = self.draw(runs + [row for panel in ("loopback", "two-racks")
                                   for row in square(platform=panel)])
        FigureCanvasAgg(figure).draw()
        for axes in figure.axes:
            for text in axes.texts:
                if hasattr(text, "xy"):
                    column, row = text.xy
                    low = axes.transData.transform((column - 0.5, row - 0.5))
                    high = axes.transData.transform((column + 0.5, row + 0.5))
                    box = text.get_window_extent()
                    with self.subTest(text.get_text()):
                        self.assertTrue(low[0] <= box.x0 and box.x1 <= high[0])
                        self.assertTrue(low[1] <= box.y0 and box.y1 <= high[1])

    def test_it_is_a_picture(self):
        path = self.folder / "figure.png"
        self.draw(square()).savefig(path, dpi=100)
        pixels = matplotlib.image.imread(path)[..., :3]
        self.assertEqual(pixels.shape[1], 716)
        self.assertTrue(math.isclose(pixels.max(), 1.0))
        self.assertGreater((pixels < 0.95).any(axis=2).mean(), 0.2)


class Refused(FigureCase):
    def refuse(self, runs, why: str) -> None:
        with self.assertRaisesRegex(NothingToDraw, why):
            phase_diagram.draw(view_of(self.write(runs)))

    def test_experiments_of_another_shape(self):
        self.refuse([run("static", nodes=1), run("ssp", nodes=4)],
                    "two numbers and at most one more option; they differ in: cluster.nodes")

    def test_a_single_strategy(self):
        self.refuse([rows for rows in square() if rows[0]["strategy"] == "static"],
                    "one strategy only")

    def test_four_options(self):
        runs = [cell_run(strategy, zipf, share, platform=platform, **{
            "sweep.workload.locality": local,
            "config_hash": f"{strategy}{zipf}{share}{platform}{local}",
            "run": f"{strategy}{zipf}{share}{platform}{local}"})
            for strategy in TIMES for zipf in "01" for share in "01"
            for platform in ("loopback", "two-racks") for local in "01"]
        self.refuse(runs, "they differ in: cluster.platform, workload.zipf, "
                          "workload.sample_share, workload.locality")

    def test_more_columns_than_fit(self):
        self.refuse([cell_run(strategy, str(zipf), share) for strategy in TIMES
                     for zipf in range(20) for share in "01"],
                    "workload.zipf has 20 values; no more than 15 fit")

    def test_results_that_differ_in_something_unknown(self):
        twin = cell_run("static", "0", "0", config_hash="twin", run="twin")
        self.refuse([*square(), twin], "a cell has several results of one strategy")
