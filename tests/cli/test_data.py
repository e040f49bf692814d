"""The command `data`: sets of the catalog, and what is in files."""

import json

from tests.cli.program import PROJECT, ProgramTest


class Data(ProgramTest):
    def test_data_commands(self):
        self.assertRegex(self.pslab("data", "list").stdout, r"movielens-small +not fetched")
        self.assertIn("licence", self.pslab("data", "info", "movielens-small").stdout)
        shipped = PROJECT / "tests/data/ratings/plain.tsv"
        self.assertIn("size:", self.pslab("data", "info", shipped).stdout)
        self.assert_refused(["data", "lits"], "pslab data: unknown action 'lits'. Did you mean "
                                              "'list'? Actions: list, info, fetch.")
        self.assert_refused(["data", "fetch"], "pslab data fetch: name a data set; pslab data list "
                                               "shows them")
        self.assertIn("no data set 'x'", self.pslab("data", "fetch", "x", code=2).stderr)

    def test_data_info_of_files_as_json_and_with_a_figure(self):
        graph = PROJECT / "tests/data/triples"
        json_text = self.pslab("data", "info", graph, "--json", "--plot", "skew.png").stdout
        data = json.loads(json_text)["data"]
        self.assertEqual(data["kind"], "graph")
        self.assertGreater(data["counts"]["train"], 0)
        direct, _, samples = data["skew"]
        self.assertEqual((direct["keys"], direct["sampled"], samples["sampled"]),
                         ("entities", False, True))
        self.assertAlmostEqual(direct["curve"][0][1], direct["top_0.1_percent"])
        self.assertGreater(direct["top_1_percent"], samples["top_1_percent"])
        self.assertIn("triples kept", data["notes"][0])
        self.assertTrue((self.folder / "skew.png").read_bytes().startswith(b"\x89PNG"))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["skew.png"])
        self.write("text", "no numbers\n" * 9)
        self.assertIn("18 words of 2 different ones", self.pslab("data", "info", "text").stdout)

    def test_data_list_as_json(self):
        sets = {each["name"]: each for each in json.loads(self.pslab("data", "list", "--json").stdout)}
        self.assertEqual(sets["movielens-small"]["task"], "matrix factorization")
        self.assertFalse(sets["movielens-small"]["fetched"])
        self.assertIn("text-austen", sets)

    def test_data_info_says_what_was_guessed_and_takes_options_of_a_dataset(self):
        self.write("ratings.csv", "user,item,score\n1,2,3.5\n1,3,4\n")
        refused = self.pslab("data", "info", "ratings.csv", code=2).stderr
        self.assertIn("set skip_lines: 1", refused)
        self.assertIn("pslab data info ratings.csv skip_lines=1", refused)
        told = self.pslab("data", "info", "ratings.csv", "skip_lines=1").stdout
        self.assertTrue(told.startswith("read as ratings, because its first lines "), told)
        data = json.loads(self.pslab("data", "info", "ratings.csv", "skip_lines=1", "--json").stdout)
        self.assertEqual(data["data"]["counts"]["train"], 2)
        self.assertIn("read as ratings", data["assumed"])

    def test_check_names_the_option_with_a_file_for_a_folder(self):
        self.write("graph/train.txt", "a\tr\tb\n")
        for workload in ("knowledge_graph", "word2vec"):
            config = self.write("c.yaml", "experiment: c\nworkload: {name: " + workload +
                                ", dataset: {folder: graph/train.txt}}\n")
            self.assertRegex(self.pslab("check", config, code=2).stderr,
                             r"c.yaml:2: workload.dataset.folder: graph/train.txt: is a file; give")
        for option in ("analogies", "similarities"):
            config = self.write("c.yaml", "experiment: c\nworkload: {name: word2vec, evaluation: {" +
                                option + ": graph}}\n")
            self.assert_refused(["check", config], f"{config}:2: workload.evaluation.{option}: graph: "
                                "is a directory; name the file in it that has the data")
        config = self.write("c.yaml", "experiment: c\nworkload: {dataset: {train: graph}}\n")
        self.assertIn("workload.dataset.train: graph: is a directory; name the file in it",
                      self.pslab("check", config, code=2).stderr)

    def test_check_opens_the_shards_of_a_text(self):
        (self.folder / "shards").mkdir()
        config = self.write("text.yaml", "experiment: text\nworkload: {name: word2vec, dataset: "
                            "{folder: shards, min_count: 1}}\n")
        self.assertIn("there is no file in this folder",
                      self.pslab("check", config, code=2).stderr)
        self.write("shards/news.en-00001-of-00100", "one two three\n")
        self.assertIn("1 run", self.pslab("check", config).stdout)

    def test_data_refuses_options_of_other_actions(self):
        self.assert_refused(["data", "fetch", "insteval", "--json"],
                            "pslab data fetch: unexpected option --json")
        self.assert_refused(["data", "list", "--kind", "text"],
                            "pslab data list: unexpected option --kind")
        self.assert_refused(["data", "list", "insteval"],
                            "pslab data list: unexpected argument 'insteval'")
        self.assert_refused(["data", "fetch", "insteval", "seed=1"],
                            "pslab data fetch: unexpected argument 'seed=1'")

    def test_data_info_draws_into_folders_that_are_there(self):
        graph = PROJECT / "tests/data/triples"
        self.assert_refused(["data", "info", graph, "--plot", "no/skew.png"],
                            f"cannot draw no/skew.png: there is no folder {self.folder}/no; make it "
                            "first, or name another")
        (self.folder / "skew.png").mkdir()
        self.assert_refused(["data", "info", graph, "--plot", "skew.png"],
                            "cannot draw skew.png: it is a folder; name a file")

    def test_data_info_refuses_wrong_options_and_what_is_not_there(self):
        self.assert_refused(["data", "info", "x", "--plot", "skew.svg"],
                            "pslab data info --plot: expected a file that ends with .png or .pdf, "
                            "seen 'skew.svg'")
        self.assert_refused(["data", "info", "x", "--kind", "graphs"],
                            "pslab data info --kind: expected ratings, graph or text, seen 'graphs'")
        self.assert_refused(["data", "info", "insteval", "--plot", "skew.png"],
                            "there is nothing to draw: the data set is not here; `pslab data fetch` "
                            "it first")
