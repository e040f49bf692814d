"""The figure of how the accesses to a data set's keys spread."""

import contextlib
import io
import json

from analysis.errors import AnalysisError, InputError
from analysis.skew import draw
from tests.analysis.sample import SampleCase

CURVES = [{"keys": "words", "sampled": False, "curve": [[1, 0.5], [2, 0.3], [3, 0.2]]},
          {"keys": "words", "sampled": True, "curve": [[1, 0.4], [2, 0.3], [3, 0.3]]},
          {"keys": "relations", "sampled": False, "curve": []}]


class Skew(SampleCase):
    def info(self, skew):
        path = self.folder / "info.json"
        path.write_text(json.dumps({"data": {"skew": skew}}))
        return path

    def draw(self, name, skew=tuple(CURVES)):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            draw(self.info(list(skew)), self.folder / name)
        return output.getvalue()

    def test_draws_png_and_pdf_the_same_every_time(self):
        for name, start in (("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
            self.assertEqual(self.draw(name), f"{self.folder / name}\n")
            first = (self.folder / name).read_bytes()
            self.assertTrue(first.startswith(start))
            self.assertGreater(len(first), 5000)
            self.draw(name)
            self.assertEqual((self.folder / name).read_bytes(), first)

    def test_refuses_what_it_cannot_draw(self):
        with self.assertRaisesRegex(InputError, r"a\.svg.*\.png or \.pdf"):
            self.draw("a.svg")
        with self.assertRaisesRegex(InputError, "not what `pslab data info --json` writes"):
            draw(self.folder / "missing.json", self.folder / "a.png")
        with self.assertRaisesRegex(AnalysisError, "no accesses"):
            self.draw("a.png", CURVES[2:])
        with self.assertRaisesRegex(AnalysisError, "cannot be written"):
            self.draw("no/such/folder/a.png")
