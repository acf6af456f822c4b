"""Checks of the files that other programs read results from: JUnit XML and SARIF, held against their schemas' rules.

What is allowed and required here is the common part of the schemas that exist (of JUnit XML: Ant's JUnit.xsd and Jenkins'
junit-10.xsd; of SARIF: version 2.1.0), as far as we use it: what passes here is valid there.
"""
import json
import re
import xml.etree.ElementTree

NUMBER, TIME, TEXT = r"\d+", r"\d+\.\d{3}", r"(?s).+"
# Of each element its attributes, with what they look like, and its children in order.
JUNIT = {
    "testsuites": ({}, "(testsuite )*"),
    "testsuite": ({"name": TEXT, "package": TEXT, "id": "0", "tests": NUMBER, "failures": NUMBER, "errors": NUMBER,
                   "skipped": NUMBER, "time": TIME, "timestamp": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "hostname": TEXT},
                  "properties (testcase )*system-out system-err "),
    "testcase": ({"classname": TEXT, "name": TEXT, "time": TIME}, "(failure )?"),
    "failure": ({"type": TEXT, "message": TEXT}, ""),
    "properties": ({}, ""), "system-out": ({}, ""), "system-err": ({}, ""),
}


def junit_cases(path):
    """The test cases of a file's only suite."""
    root = xml.etree.ElementTree.parse(path).getroot()
    for element in root.iter():
        attributes, children = JUNIT[element.tag]
        assert set(element.attrib) == set(attributes), (element.tag, element.attrib)
        for name, pattern in attributes.items():
            assert re.fullmatch(pattern, element.get(name)), (element.tag, name, element.get(name))
        assert re.fullmatch(children, "".join(child.tag + " " for child in element)), element.tag
    assert root.tag == "testsuites", root.tag
    (suite,) = root
    cases = suite.findall("testcase")
    failed = [case for case in cases if case.find("failure") is not None]
    assert [suite.get(n) for n in ("tests", "failures", "errors")] == [str(len(cases)), str(len(failed)), "0"], suite.attrib
    return cases


def position(value):
    return isinstance(value, int) and value >= 1


def reference(value):
    """A URI reference: no character that would have to be escaped."""
    return isinstance(value, str) and re.fullmatch(r"(file:///)?([\w.~/-]|%[0-9A-F]{2})+", value, re.A)


def text(value):
    return isinstance(value, str) and value != ""


# Of each object its properties: what they are (the name of another object, [one] for a list of it, a function, or a set of
# values), and which of them must be there.
SARIF = {
    "log": ({"$schema": text, "version": {"2.1.0"}, "runs": ["run"]}, {"version", "runs"}),
    "run": ({"tool": "tool", "columnKind": {"unicodeCodePoints"}, "results": ["result"]}, {"tool", "results"}),
    "tool": ({"driver": "driver"}, {"driver"}),
    "driver": ({"name": {"cuinstrument"}, "version": text, "rules": ["rule"]}, {"name", "rules"}),
    "rule": ({"id": text, "shortDescription": "message"}, {"id", "shortDescription"}),
    "message": ({"text": text}, {"text"}),
    "result": ({"ruleId": text, "ruleIndex": lambda n: isinstance(n, int) and n >= 0, "level": {"error", "warning"},
                "message": "message", "locations": ["location"], "relatedLocations": ["location"],
                "partialFingerprints": lambda prints: all(map(text, prints.values()))}, {"ruleId", "level", "message"}),
    "location": ({"physicalLocation": "place", "message": "message"}, {"physicalLocation"}),
    "place": ({"artifactLocation": "artifact", "region": "region"}, {"artifactLocation"}),
    "artifact": ({"uri": reference, "uriBaseId": {"%SRCROOT%"}}, {"uri"}),
    "region": ({"startLine": position, "startColumn": position}, {"startLine"}),
}


def check_sarif(value, kind):
    if isinstance(kind, list):
        assert isinstance(value, list), value
        for each in value:
            check_sarif(each, kind[0])
    elif isinstance(kind, str):
        properties, required = SARIF[kind]
        assert required <= set(value) <= set(properties), (kind, value)
        for name, each in value.items():
            check_sarif(each, properties[name])
    else:
        assert value in kind if isinstance(kind, set) else kind(value), (kind, value)


def sarif_results(text):
    """The results of a log's only run."""
    log = json.loads(text)
    check_sarif(log, "log")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules), rules
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"], result
        for location in result.get("locations", []) + result.get("relatedLocations", []):
            artifact = location["physicalLocation"]["artifactLocation"]
            assert ("uriBaseId" in artifact) != artifact["uri"].startswith("file:"), artifact  # relative to the root
    return run["results"]
