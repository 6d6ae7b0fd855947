#!/usr/bin/env python3
"""Rewrites vectors of the peer's referee in the compact form kept here.

    tools/make_vectors.py configs.json > testdata/whir/configs.csv
    tools/make_vectors.py trace_X.json > testdata/whir/trace_X.json

SPDX-License-Identifier: Apache-2.0

The inputs are what `whir-referee vectors` writes. A trace loses the decoded
copy of the proof that lies beside it. Of the configurations each becomes a
line, `;` separating groups and `,` the numbers of a group:

    n,fold,rate,reduction,soundness,security,pow,points
    commitment_ood,starting_fold_pow                       `-` if infeasible
    final: variables,query_bits,rate,queries,draws,pow,fold_pow
    each round: variables,query_bits,rate,queries,ood,pow,fold_pow
"""
import json
import sys

REGIMES = {"UniqueDecoding": 0, "JohnsonBound": 1, "CapacityBound": 2}
SHARED = ["num_variables", "log_folded_domain_size", "log_inv_rate",
          "num_queries"]
FINAL = SHARED + ["query_draws", "pow_bits", "final_folding_pow_bits"]
ROUND = SHARED + ["ood_samples", "pow_bits", "folding_pow_bits"]


def group(numbers):
    return ",".join(str(number) for number in numbers)


def line(config):
    groups = [group([config["n"], config["fold"], config["rate"],
                     config["reduction"], REGIMES[config["soundness"]],
                     config["security_level"], config["pow_bits"],
                     config["points"]])]
    if "error" in config:
        return groups[0] + ";-"
    groups.append(group([config["commitment_ood_samples"],
                         config["starting_folding_pow_bits"]]))
    groups.append(group(config["final"][key] for key in FINAL))
    groups += [group(entry[key] for key in ROUND) for entry in config["rounds"]]
    return ";".join(groups)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        vectors = json.load(file)
    if isinstance(vectors, list):
        print("\n".join(line(config) for config in vectors))
    else:
        del vectors["proof"]
        print(json.dumps(vectors, indent=0))


if __name__ == "__main__":
    main()
