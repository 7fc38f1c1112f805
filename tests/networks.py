"""A network of this test run's own: a folder with an ONNX model that onnxruntime computes and fastembed loads, with
weights by a seed. It means nothing and takes a millisecond."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

SPECIAL = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORDS = SPECIAL | {piece: n for n, piece in enumerate((*LETTERS, *(f"##{letter}" for letter in LETTERS)), 4)}


def network(
    folder: Path,
    *,
    seed: int = 0,
    dimensions: int = 16,
    whole_numbers: bool = False,
    broken: bool = False,
    refuses: str = "",
    turns: tuple[str, int] = ("", 0),
) -> Path:
    """A token's vector, by weights of its own: quantised with `whole_numbers`, no numbers when it is `broken`. It fails
    for a text that has the letter `refuses`, and where the letter is that of `turns`, goes round so many times before
    it answers: a million is a few seconds, 2 ** 60 for ever."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(seed)
    table = chance.normal(size=(len(WORDS), dimensions)).astype(np.float32)
    table *= np.float32("nan") if broken else 1
    weights = [
        numpy_helper.from_array(table, "table"),
        numpy_helper.from_array(chance.normal(size=dimensions).astype(np.float32), "layer"),
    ]
    last = "tokens"
    nodes = [] if not refuses else _beyond_the_table(refuses, weights)
    nodes.append(helper.make_node("Gather", ["table", "shifted" if refuses else "input_ids"], ["tokens"]))
    if turns[1]:
        nodes += _going_round(*turns, weights)
        last = "turned"
    if whole_numbers:
        nodes.append(helper.make_node("DynamicQuantizeLinear", [last], ["whole", "scale", "zero"]))
        nodes.append(helper.make_node("DequantizeLinear", ["whole", "scale", "zero"], ["again"]))
        last = "again"
    nodes += [
        helper.make_node("Mul", [last, "layer"], ["mixed"]),
        helper.make_node("Tanh", ["mixed"], ["last_hidden_state"]),
    ]
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens_of_it"]) for name in names],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["texts", "tokens_of_it", dimensions])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, folder / "model.onnx")
    tokens = Tokenizer(WordPiece(WORDS, unk_token="[UNK]"))
    tokens.normalizer, tokens.pre_tokenizer = BertNormalizer(), BertPreTokenizer()
    tokens.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", SPECIAL["[CLS]"]), ("[SEP]", SPECIAL["[SEP]"])]
    )
    tokens.save(str(folder / "tokenizer.json"))
    for name, content in {
        "config.json": {"hidden_size": dimensions, "pad_token_id": 0, "model_type": "bert"},
        "tokenizer_config.json": {"model_max_length": 128, "pad_token": "[PAD]", "tokenizer_class": "BertTokenizer"},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]"},
    }.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return folder


def _beyond_the_table(letter: str, weights: list[onnx.TensorProto]) -> list[onnx.NodeProto]:
    """A letter's number becomes one that has no vector."""
    weights.append(numpy_helper.from_array(np.array(WORDS[letter], np.int64), "refused"))
    weights.append(numpy_helper.from_array(np.array(len(WORDS), np.int64), "beyond"))
    return [
        helper.make_node("Equal", ["input_ids", "refused"], ["is_refused"]),
        helper.make_node("Where", ["is_refused", "beyond", "input_ids"], ["shifted"]),
    ]


def _going_round(letter: str, times: int, weights: list[onnx.TensorProto]) -> list[onnx.NodeProto]:
    """`turned` is `tokens`, after so many rounds if the letter is among them."""
    for name, value in (("slow", WORDS[letter]), ("times", times)):
        weights.append(numpy_helper.from_array(np.array(value, np.int64), name))
    weights.append(numpy_helper.from_array(np.array(0, np.float32), "nothing"))
    weights.append(numpy_helper.from_array(np.array(True), "on"))
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["going"], ["goes_on"]),
            helper.make_node("Cos", ["before"], ["after"]),
        ],
        "round",
        [
            info("turn", TensorProto.INT64, []),
            info("going", TensorProto.BOOL, []),
            info("before", TensorProto.FLOAT, []),
        ],
        [info("goes_on", TensorProto.BOOL, []), info("after", TensorProto.FLOAT, [])],
    )
    return [
        helper.make_node("Equal", ["input_ids", "slow"], ["is_slow"]),
        helper.make_node("Cast", ["is_slow"], ["ones"], to=TensorProto.INT64),
        helper.make_node("ReduceMax", ["ones"], ["one"], keepdims=0),
        helper.make_node("Mul", ["one", "times"], ["rounds"]),
        helper.make_node("Loop", ["rounds", "on", "nothing"], ["end"], body=body),
        helper.make_node("Mul", ["end", "nothing"], ["zero_"]),
        helper.make_node("Add", ["tokens", "zero_"], ["turned"]),
    ]
