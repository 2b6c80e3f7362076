"""The file itself: what it needs, and that it is whole."""

import ast
import inspect
import os
import sys
import typing
import unittest

import banksman

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "banksman.py")


class File(unittest.TestCase):
    def setUp(self):
        with open(PATH, encoding="utf-8") as file:
            self.text = file.read()

    def test_oldest_python(self):
        """it is written for Python 3.9"""
        ast.parse(self.text, feature_version=(3, 9))

    def test_imports(self):
        """it imports the standard library alone"""
        if sys.version_info < (3, 10):
            self.skipTest("Python 3.9 has no list of its modules")
        names = []
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                self.assertEqual(node.level, 0)
                names.append(node.module)
        strange = {name.split(".")[0] for name in names} - set(sys.stdlib_module_names)
        self.assertEqual((strange, "json" in names), (set(), True))

    def test_types(self):
        """every type that is named is there, and everything public is described"""
        for name in banksman.__all__:
            one = getattr(banksman, name)
            if not isinstance(one, type) and not inspect.isfunction(one):
                continue
            self.assertTrue(one.__doc__, name)
            members = [one] if inspect.isfunction(one) else [one, *vars(one).values()]
            for member in members:
                if isinstance(member, type) or inspect.isfunction(member):
                    typing.get_type_hints(member)

    def test_signatures(self):
        """each parameter and result of a function has a type"""
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                arguments = [*node.args.args, *node.args.kwonlyargs]
                bare = [one.arg for one in arguments if one.annotation is None and one.arg != "self"]
                self.assertEqual((bare, node.returns is None), ([], False), node.name)

    def test_door(self):
        """what it offers is what it lists"""
        public = {name for name, value in vars(banksman).items() if getattr(value, "__module__", "") == "banksman"}
        self.assertEqual({name for name in public if not name.startswith("_")} - set(banksman.__all__), set())


if __name__ == "__main__":
    unittest.main()
