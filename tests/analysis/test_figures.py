"""The figures: what is in their axes, and that the files hold a picture."""

import math

import matplotlib.image
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

from analysis import style
from analysis.errors import NothingToDraw
from analysis.figures import quality_over_time, scaling, time_breakdown, traffic
from analysis.labels import PART_NAMES
from analysis.load import BREAKDOWN, load_experiment
from analysis.stats import t_quantile
from analysis.view import View, views_by_workload
from tests.analysis.sample import STORED, SampleCase, run, write_events


class FigureCase(SampleCase):
    """A test that draws as `plot` does."""

    def setUp(self) -> None:
        super().setUp()
        self.enterContext(style.applied())


def view_of(folder, metric=None) -> View:
    (view,) = views_by_workload(load_experiment(folder), metric).values()
    return view


def words(figure) -> str:
    """All text beside the axes."""
    return "\n".join(text.get_text() for text in figure.texts)


def legend_of(figure) -> list[str]:
    return sorted(text.get_text() for text in figure.legends[0].get_texts())


class QualityOverTime(FigureCase):
    def test_one_line_per_configuration_with_the_means_over_repeats(self):
        folder = self.write([run("static", metric=["1.0", "0.8"], repeat=1),
                             run("static", metric=["1.2", "0.6"], repeat=2),
                             run("ssp", metric=["0.9", "0.7"], epoch_time_s=0.25)])
        over_time, over_epochs = quality_over_time.draw(view_of(folder)).axes
        static, ssp = over_time.get_lines()
        np.testing.assert_allclose(static.get_xydata(), [[0.5, 1.1], [1.0, 0.7]])
        np.testing.assert_allclose(ssp.get_xydata(), [[0.25, 0.9], [0.5, 0.7]])
        np.testing.assert_allclose(over_epochs.get_lines()[0].get_xdata(), [1, 2])
        self.assertEqual(over_time.get_xlabel(), "Training time (s, simulated)")
        self.assertEqual(over_epochs.get_xlabel(), "Epoch")
        self.assertEqual(over_time.get_ylabel(), "Test RMSE (lower is better)")
        self.assertEqual([line.get_label() for line in over_time.get_lines()], ["static", "ssp"])

    def test_band_is_the_confidence_interval_and_the_caption_says_so(self):
        folder = self.write([run(metric=["1.0"], repeat=1), run(metric=["1.2"], repeat=2),
                             run("ssp")])
        figure = quality_over_time.draw(view_of(folder))
        (band,) = figure.axes[0].collections  # none for the single run
        half = t_quantile(0.975, 1) * math.sqrt(0.02 / 2)
        heights = band.get_paths()[0].vertices[:, 1]
        self.assertAlmostEqual(heights.min(), 1.1 - half)
        self.assertAlmostEqual(heights.max(), 1.1 + half)
        self.assertIn("95 % confidence interval", words(figure))

    def test_failed_runs_are_named_and_not_drawn(self):
        folder = self.write([run("static"), run("ssp", status="failed", error="costs $5 and $6"),
                             run("essp", metric=[], status="interrupted")])
        figure = quality_over_time.draw(view_of(folder))
        self.assertEqual(len(figure.axes[0].get_lines()), 1)
        self.assertIn(r"Not drawn: ssp, seed 1 (failed: costs \$5 and \$6).", words(figure))
        self.assertIn("Not drawn: essp, seed 1 (interrupted).", words(figure))

    def test_single_run_of_one_epoch_is_a_visible_point(self):
        figure = quality_over_time.draw(view_of(self.write([run(metric=["0.5"])])))
        (line,) = figure.axes[0].get_lines()
        self.assertEqual(line.get_xydata().tolist(), [[500.0, 0.5]])
        self.assertNotIn(line.get_marker(), ("", "None", None))
        self.assertEqual(words(figure), "")

    def test_nan_is_a_gap_and_is_noted(self):
        folder = self.write([run(metric=["0.9", "nan", "0.7"])])
        figure = quality_over_time.draw(view_of(folder))
        values = figure.axes[0].get_lines()[0].get_ydata()
        self.assertEqual([math.isnan(value) for value in values], [False, True, False])
        self.assertIn("static: test_rmse is not a finite number in epoch 2.", words(figure))

    def test_epochs_without_evaluation_leave_no_gap(self):
        folder = self.write([run(metric=["", "0.9", "", "0.7"])])
        line = quality_over_time.draw(view_of(folder)).axes[1].get_lines()[0]
        self.assertEqual(line.get_xydata().tolist(), [[2, 0.9], [4, 0.7]])

    def test_mean_ends_where_the_first_run_ends(self):
        folder = self.write([run(metric=["0.9", "0.8", "0.7"]),
                             run(metric=["0.9", "0.8"], repeat=2)])
        figure = quality_over_time.draw(view_of(folder))
        self.assertEqual(figure.axes[1].get_lines()[0].get_xdata().tolist(), [1, 2])
        self.assertIn("drawn up to epoch 2", words(figure))

    def test_nothing_finite_to_draw(self):
        with self.assertRaisesRegex(NothingToDraw, "test_rmse is not a finite number"):
            quality_over_time.draw(view_of(self.write([run(metric=["nan", "inf"])])))

    def test_many_lines_get_a_row_per_cluster_size(self):
        folder = self.write([run(strategy, nodes=nodes) for nodes in (1, 2, 4)
                             for strategy in ("static", "ssp", "relocation")])
        figure = quality_over_time.draw(view_of(folder))
        self.assertEqual(len(figure.axes), 6)
        self.assertEqual([axes.get_title(loc="left") for axes in figure.axes[::2]],
                         ["1 node × 2 workers", "2 nodes × 2 workers", "4 nodes × 2 workers"])
        self.assertEqual([len(axes.get_lines()) for axes in figure.axes], [3] * 6)
        self.assertEqual(legend_of(figure), ["relocation", "ssp", "static"])

    def test_caption_explains_labels_that_are_not_plain(self):
        folder = self.write([run(nodes=1), run(nodes=4)])
        self.assertEqual(words(quality_over_time.draw(view_of(folder))),
                         "Labels: nodes × workers per node.")

    def test_legend_and_caption_stay_clear_of_the_axes_and_inside_the_figure(self):
        runs = [run(f"strategy_with_a_long_name_{number}") for number in range(12)]
        runs.append(run("ssp", status="failed", error="something went very wrong " * 9))
        figure = quality_over_time.draw(view_of(self.write(runs)))
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        legend = figure.legends[0].get_window_extent()
        for box in [legend, figure.texts[0].get_window_extent()]:
            self.assertTrue(figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1)
            for axes in figure.axes:
                self.assertFalse(box.overlaps(axes.get_tightbbox(canvas.get_renderer())))


class TimeBreakdown(FigureCase):
    def test_parts_of_a_bar_add_up_to_the_printed_total(self):
        experiment = view_of(STORED)
        axes = time_breakdown.draw(experiment).axes[0]
        self.assertEqual([container.get_label() for container in axes.containers],
                         [PART_NAMES[part] for part in BREAKDOWN])
        for row, group in enumerate(experiment.groups):
            widths = [container[row].get_width() for container in axes.containers]
            mean_ms = 1e3 * np.mean([item.mean_epoch_time_s() for item in group.runs])
            self.assertAlmostEqual(sum(widths), mean_ms, places=6)
            printed = axes.texts[row].get_text()
            self.assertAlmostEqual(float(printed.split(" ±")[0]), mean_ms, delta=0.6)
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()],
                         [group.label for group in experiment.groups])

    def test_bars_do_not_overlap_and_the_total_is_inside_the_axes(self):
        figure = time_breakdown.draw(view_of(STORED))
        FigureCanvasAgg(figure).draw()
        axes = figure.axes[0]
        for text in axes.texts:
            self.assertLessEqual(text.get_window_extent().x1, figure.bbox.x1)
        starts = [container[0].get_x() for container in axes.containers]
        self.assertEqual(starts, sorted(starts))

    def test_parts_that_do_not_add_up_are_noted(self):
        rows = run()
        for row in rows:
            row["compute_s"] = "0.0"
        figure = time_breakdown.draw(view_of(self.write([rows])))
        self.assertIn("static: the parts add up to 50% of the epoch time.", words(figure))

    def test_the_oracle_is_a_mark_across_the_bars_that_have_one(self):
        rows = run("ssp", epoch_time_s=0.5, oracle_s="0.125")
        figure = time_breakdown.draw(view_of(self.write([run(epoch_time_s=0.25), rows])))
        (marks,) = figure.axes[0].collections
        np.testing.assert_allclose([segment[:, 0] for segment in marks.get_segments()],
                                   [[125, 125]])
        self.assertIn("oracle", legend_of(figure))
        self.assertIn("oracle: what each takes at the least", words(figure))

    def test_without_an_oracle_there_is_no_mark(self):
        figure = time_breakdown.draw(view_of(self.write([run()])))
        self.assertEqual(list(figure.axes[0].collections), [])
        self.assertNotIn("oracle", legend_of(figure))

    def test_run_without_breakdown(self):
        rows = run("ssp")
        rows[0]["compute_s"] = ""
        figure = time_breakdown.draw(view_of(self.write([run(), rows])))
        self.assertEqual(len(figure.axes[0].containers[0]), 1)
        self.assertIn("Not drawn: ssp", words(figure))


class Scaling(FigureCase):
    def test_epoch_time_speed_up_and_ideal_line(self):
        folder = self.write([run("static", nodes=1, epoch_time_s=0.8),
                             run("static", nodes=4, epoch_time_s=0.4),
                             run("ssp", nodes=4, epoch_time_s=0.1),
                             run("ssp", nodes=1, epoch_time_s=0.8)])
        time_axes, speed_axes = scaling.draw(view_of(folder)).axes
        np.testing.assert_allclose(time_axes.get_lines()[0].get_xydata(), [[1, 800], [4, 400]])
        static, ssp, ideal = speed_axes.get_lines()
        np.testing.assert_allclose(static.get_ydata(), [1, 2])
        np.testing.assert_allclose(ssp.get_ydata(), [1, 8])
        np.testing.assert_allclose(ideal.get_xydata(), [[1, 1], [4, 4]])
        self.assertEqual(ideal.get_label(), "ideal")
        self.assertEqual(time_axes.xaxis.get_transform().base, 2)
        self.assertEqual(speed_axes.yaxis.get_transform().base, 2)
        self.assertEqual(speed_axes.get_ylabel(), "Speed-up over one node")

    def test_nothing_to_draw_with_one_cluster_size(self):
        with self.assertRaisesRegex(NothingToDraw, "differ only in cluster.nodes"):
            scaling.draw(view_of(self.write([run("static"), run("ssp")])))

    def test_a_single_line_beside_configurations_without_one_would_mislead(self):
        runs = [run("static", nodes=1), run("static", nodes=8), run("hybrid", nodes=8)]
        with self.assertRaisesRegex(NothingToDraw, "only static has results on several numbers of "
                                                   "nodes; alone it would mislead"):
            scaling.draw(view_of(self.write(runs)))
        figure = scaling.draw(view_of(self.write([*runs, run("ssp", nodes=1), run("ssp", nodes=8)],
                                                 "more")))
        self.assertIn("Not drawn: hybrid (results on 8 nodes only).", words(figure))
        self.assertEqual([line.get_label() for line in figure.axes[1].get_lines()],
                         ["static", "ssp", "ideal"])

    def test_configurations_that_differ_in_more_than_nodes_are_not_joined(self):
        folder = self.write([run(nodes=1, **{"sweep.workload.rank": "32"}),
                             run(nodes=2, **{"sweep.workload.rank": "64"})])
        with self.assertRaises(NothingToDraw):
            scaling.draw(view_of(folder))

    def test_without_one_node_the_smallest_cluster_is_the_base(self):
        folder = self.write([run(nodes=2, epoch_time_s=0.8), run(nodes=8, epoch_time_s=0.4),
                             run("ssp", nodes=4), run("ssp", nodes=8)])
        figure = scaling.draw(view_of(folder))
        self.assertEqual(figure.axes[1].get_ylabel(), "Speed-up over 2 nodes")
        np.testing.assert_allclose(figure.axes[1].get_lines()[-1].get_ydata(), [1, 2, 4])
        self.assertIn("No speed-up for ssp: it has no result on 2 nodes.", words(figure))

    def test_epochs_that_took_no_time_have_no_place(self):
        folder = self.write([run(nodes=1, epoch_time_s=0.0), run(nodes=2, epoch_time_s=0.0)])
        with self.assertRaises(NothingToDraw):
            scaling.draw(view_of(folder))

    def test_each_axis_has_two_ticks_at_least(self):
        folder = self.write([run(nodes=1, epoch_time_s=0.07), run(nodes=2, epoch_time_s=0.069)])
        for axes in scaling.draw(view_of(folder)).axes:
            low, high = axes.get_ylim()
            self.assertGreaterEqual(sum(low <= tick <= high for tick in axes.get_yticks()), 2)


class Traffic(FigureCase):
    def test_bytes_by_kind(self):
        folder = self.write([run("static"), run("ssp")])
        write_events(folder / "static_nodes-1_r1", [{"pull": 4000, "push": 1000},
                                                    {"pull": 2000, "push": 1000}])
        write_events(folder / "ssp_nodes-1_r1", [{"replica_sync": 500}])
        axes = traffic.draw(view_of(folder)).axes[0]
        kinds = {container.get_label(): [bar.get_width() for bar in container]
                 for container in axes.containers}
        self.assertEqual(kinds, {"pull": [3.0, 0.0], "push": [1.0, 0.0],
                                 "replica sync": [0.0, 0.5]})
        self.assertEqual(axes.get_xlabel(), "Sent between nodes per epoch (kB)")
        self.assertEqual([text.get_text() for text in axes.texts], ["4.00", "0.500"])

    def test_missing_run_folders_are_noted(self):
        folder = self.write([run("static"), run("ssp")])
        write_events(folder / "ssp_nodes-1_r1", [{"pull": 500}])
        figure = traffic.draw(view_of(folder))
        self.assertIn("Not drawn: static (its run folders have no events.jsonl).", words(figure))

    def test_nothing_to_draw_without_events_or_without_bytes(self):
        folder = self.write([run()])
        with self.assertRaisesRegex(NothingToDraw, "no run folder has an events.jsonl"):
            traffic.draw(view_of(folder))
        write_events(folder / "static_nodes-1_r1", [{}])
        with self.assertRaisesRegex(NothingToDraw, "no bytes were sent"):
            traffic.draw(view_of(folder))

    def test_small_kinds_are_drawn_as_one(self):
        folder = self.write([run()])
        write_events(folder / "static_nodes-1_r1", [{f"k{n}": 1000 + n for n in range(12)}])
        axes = traffic.draw(view_of(folder)).axes[0]
        self.assertEqual(len(axes.containers), 8)
        self.assertEqual(axes.containers[-1].get_label(), "other")
        self.assertAlmostEqual(sum(container[0].get_width() for container in axes.containers),
                               12.066)


class LargeExperiment(FigureCase):
    """Hundreds of configurations: a figure is readable or is not drawn."""

    def setUp(self) -> None:
        super().setUp()
        runs = [run(**{"sweep.workload.rank": str(rank), "run": f"rank-{rank}",
                       "config_hash": str(rank)}) for rank in range(61)]
        self.view = view_of(self.write(runs))

    def test_too_many_bars_are_refused(self):
        for module in (time_breakdown, traffic):
            with self.subTest(module.__name__):
                with self.assertRaisesRegex(NothingToDraw, "61 configurations, and one figure has "
                                                           "room for 60 bars"):
                    module.draw(self.view)

    def test_too_many_lines_are_refused(self):
        with self.assertRaisesRegex(NothingToDraw, "61 lines in one panel, and no more than 32"):
            quality_over_time.draw(self.view)
        runs = [run(nodes=nodes, **{"sweep.workload.rank": str(rank), "run": f"{rank}-{nodes}",
                                    "config_hash": f"{rank}-{nodes}"})
                for rank in range(33) for nodes in (1, 2)]
        with self.assertRaisesRegex(NothingToDraw, "33 lines in one panel"):
            scaling.draw(view_of(self.write(runs, "scaling")))

    def test_a_caption_names_a_few_of_the_runs_that_failed_and_counts_the_others(self):
        runs = [run(status="failed", repeat=repeat, error="no memory") for repeat in range(2, 30)]
        text = words(quality_over_time.draw(view_of(self.write([run(), *runs], "failed"))))
        self.assertEqual(text.count("no memory"), 8)
        self.assertIn("Not drawn either: 20 more runs.", text)


class Workloads(SampleCase):
    def test_each_workload_has_its_own_view_and_metric(self):
        folder = self.write([run("static"), run("ssp", workload="kge", name_of_metric="test_mrr")])
        views = views_by_workload(load_experiment(folder), None)
        self.assertEqual({name: view.metric for name, view in views.items()},
                         {"matrix_factorization": "test_rmse", "kge": "test_mrr"})


class Picture(FigureCase):
    def test_figures_of_the_stored_experiment_hold_a_picture(self):
        view = view_of(STORED)
        for module in (quality_over_time, time_breakdown, scaling, traffic):
            path = self.folder / "figure.png"
            module.draw(view).savefig(path, dpi=100)
            pixels = matplotlib.image.imread(path)[..., :3]
            colours = np.unique((pixels.reshape(-1, 3) * 255).astype(int), axis=0)
            with self.subTest(module.__name__):
                self.assertEqual(pixels.shape[1], 716)
                self.assertGreater(pixels.shape[0], 100)
                self.assertGreater(len(colours), 50)
                self.assertGreater((pixels < 0.95).any(axis=2).mean(), 0.02)
