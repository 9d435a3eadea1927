import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBoundary } from '../../boundary/open-boundary.ts';
import { tempTree } from '../../testing/temp-tree.ts';
import { markers } from '../ecosystems/markers.ts';
import { type ProjectName, readProjectName } from './read-project-name.ts';

describe('the name of a project', () => {
  test.each([
    ['package.json', '{"name": "@scope/app", "version": "1.0.0"}', '@scope/app'],
    ['packages/a/package.json', '{"name": "a"}', 'a'],
    ['package.json', '\uFEFF{\r\n  "name": "app"\r\n}\r\n', 'app'],
    ['package.json', '{ // as no tool allows\n "name": " app ", }', 'app'],
    ['deno.json', '{"name": "@scope/app", "exports": "./mod.ts"}', '@scope/app'],
    ['deno.jsonc', '{\n  // the name\n  "name": "@scope/app",\n}', '@scope/app'],
    ['composer.json', '{"name": "vendor/app"}', 'vendor/app'],
    ['elm.json', '{"type": "package", "name": "me/app"}', 'me/app'],
    ['Cargo.toml', '[workspace]\nmembers = ["x"]\n\n[package]\nname = "app"\r\n', 'app'],
    ['pyproject.toml', '[project]\nname = "app"\n[tool.poetry]\nname = "other"\n', 'app'],
    ['pyproject.toml', '[tool.poetry]\nname = "app"\n', 'app'],
    ['setup.py', 'from setuptools import setup\nsetup(\n    name="app",\n    version="1")\n', 'app'],
    ['setup.py', "setup(name = 'app')", 'app'],
    ['gleam.toml', 'name = "app"\n', 'app'],
    ['Project.toml', 'name = "App"\nuuid = "x"\n', 'App'],
    ['pubspec.yaml', 'name: app\ndescription: >\n  Some text.\n', 'app'],
    ['shard.yml', "name: 'app'\n", 'app'],
    ['settings.gradle', "include 'a'\nrootProject.name = 'app'\n", 'app'],
    ['settings.gradle.kts', 'rootProject.name = "app"\r\ninclude("a")\r\n', 'app'],
    ['build.sbt', 'lazy val root = (project in file("."))\n  .settings(name := "app")\n', 'app'],
    ['go.mod', 'module github.com/me/app\n\ngo 1.22\n', 'app'],
    ['go.mod', '// a comment\nmodule github.com/me/app/v2 // more\n', 'app'],
    ['go.mod', 'module "example.com/app"\r\n', 'app'],
    ['go.mod', 'module gopkg.in/yaml.v3\n', 'yaml'],
    ['go.mod', 'module app', 'app'],
    ['go.mod', 'module example.com/v2x', 'v2x'],
    ['mix.exs', 'def project do\n  [\n    app: :my_app,\n    version: "0.1.0"', 'my_app'],
    ['Package.swift', 'let package = Package(\n    name: "App",\n', 'App'],
    [
      'CMakeLists.txt',
      'cmake_minimum_required(VERSION 3.20)\nproject(app VERSION 1.0 LANGUAGES CXX)\n',
      'app',
    ],
    ['CMakeLists.txt', 'PROJECT ( "my-app" )\n', 'my-app'],
    ['meson.build', "project('app', 'c')\n", 'app'],
    ['project.clj', '(defproject me/app "0.1.0"\n', 'me/app'],
    ['MODULE.bazel', 'module(\n    name = "app",\n    version = "1",\n)\n', 'app'],
    ['App.sln', '', 'App'],
    ['My App.slnx', '<Solution />', 'My App'],
    ['Some.Long.Name.csproj', '<Project />', 'Some.Long.Name'],
    ['App.fsproj', '', 'App'],
    ['App.vbproj', '', 'App'],
    ['app.gemspec', '', 'app'],
    ['app.cabal', '', 'app'],
    ['team.code-workspace', '{"folders": []}', 'team'],
    ['приложение.sln', '', 'приложение'],
  ])('is read from %s', async (file, content, name) => {
    expect(await read(file, content)).toEqual({ name });
  });

  test('is the artifact of a Maven project, not of its parent', async () => {
    const pom = `<?xml version="1.0" encoding="UTF-8"?>
      <!-- <artifactId>comment</artifactId> -->
      <project xmlns="http://maven.apache.org/POM/4.0.0">
        <parent><groupId>x</groupId><artifactId>parent</artifactId></parent>
        <dependencies><dependency><artifactId>other</artifactId></dependency></dependencies>
        <artifactId>
          app
        </artifactId>
        <name>Some words</name>
      </project>`;
    expect(await read('pom.xml', pom)).toEqual({ name: 'app' });
  });

  test.each([
    ['a file without a place for one', 'Gemfile', 'source "https://rubygems.org"'],
    ['a workspace', 'pnpm-workspace.yaml', 'packages:\n  - a\n'],
    ['an editor', 'Makefile', 'all:\n'],
    ['a file that is no manifest', 'README.md', 'name: x'],
    ['a private package', 'package.json', '{"private": true}'],
    ['a number', 'package.json', '{"name": 7}'],
    ['an empty one', 'package.json', '{"name": " "}'],
    ['a list', 'package.json', '[{"name": "x"}]'],
    ['nothing', 'package.json', 'null'],
    ['a __proto__', 'package.json', '{"__proto__": {"name": "x"}}'],
    ['a __proto__ among comments', 'deno.jsonc', '{"__proto__": {"name": "x"}, /* */}'],
    ['a __proto__', 'Cargo.toml', '[__proto__.package]\nname = "x"\n'],
    ['a __proto__', 'pubspec.yaml', '__proto__: {name: x}\n'],
    ['a virtual manifest', 'Cargo.toml', '[workspace]\nmembers = []\n'],
    ['an inherited table', 'Cargo.toml', '[package]\nname.workspace = true\n'],
    ['only a parent', 'pom.xml', '<project><parent><artifactId>x</artifactId></parent></project>'],
    ['another document', 'pom.xml', '<html><artifactId>x</artifactId></html>'],
    ['a placeholder', 'pom.xml', '<project><artifactId>${x}</artifactId></project>'],
    ['a variable', 'CMakeLists.txt', 'project(${NAME})\n'],
    ['a comment', 'CMakeLists.txt', '# project(x)\n'],
    ['a comment', 'go.mod', '// module x\n'],
    ['a longer word', 'go.mod', 'modules x\n'],
    ['a comment', 'settings.gradle', "// rootProject.name = 'x'\n"],
    ['an empty file', 'pubspec.yaml', ''],
    ['an empty file', 'Cargo.toml', ''],
    ['an empty file', 'go.mod', ''],
  ])('is not in %s (%s)', async (_case, file, content) => {
    expect(await read(file, content)).toEqual({});
  });

  test.each([
    ['package.json', '{"name": "x"', 'Cannot read "package.json": line 1, column 13: close brace expected'],
    ['package.json', '', 'Cannot read "package.json": line 1, column 1: value expected'],
    ['Cargo.toml', '[package]\nname = x\n', 'Cannot read "Cargo.toml": line 2, column '],
    ['pubspec.yaml', 'name: "x\n', 'Cannot read "pubspec.yaml": line '],
    ['pom.xml', '<project><artifactId>x</project>', 'Cannot read "pom.xml": line 1, column '],
    ['a\nb/package.json', '{', 'Cannot read "a\\u{a}b/package.json": line 1, '],
  ])('is missing from a %s that is broken, with the place', async (file, content, issue) => {
    expect(await read(file, content)).toEqual({ issue: expect.stringContaining(issue) });
  });

  test.each([['a\nb'], ['\u202Etxt.exe'], ['zero\u200Bwidth'], ['x'.repeat(241)], ['say "hi"'], ['\uD800']])(
    'must be printable as it is: %j',
    async (name) => {
      expect(await read('package.json', JSON.stringify({ name }))).toEqual({
        issue: 'Cannot use the name in "package.json": it is too long or cannot be shown as it is',
      });
    },
  );

  test('is not read from a very large file', async () => {
    expect(await read('package.json', `{"name":"x"${' '.repeat(1024 * 1024)}}`)).toEqual({
      issue: 'Cannot read "package.json": it is larger than 1048576 bytes',
    });
  });

  test.each(markers.map(({ file }) => file.replace('*', 'x')))(
    'is read from any %s without an exception',
    async (file) => {
      for (const content of [
        '',
        '\u0000',
        '\uFEFF',
        '{'.repeat(10_000),
        '<'.repeat(10_000),
        'name'.repeat(10_000),
      ])
        expect(await read(file, content)).not.toHaveProperty('stack');
    },
  );
});

async function read(file: string, content: string): Promise<ProjectName> {
  using tree = tempTree();
  mkdirSync(dirname(tree.at(file)), { recursive: true });
  writeFileSync(tree.at(file), content);
  await using boundary = await openBoundary(tree.path);
  return await readProjectName(boundary, file);
}
