import { buildConfig } from './build-config.ts';
import { checkPath } from './check-path.ts';
import { copyFile } from './copy-file.ts';
import { createDirectory } from './create-directory.ts';
import { directoryTree } from './directory-tree.ts';
import { editFile } from './edit-file.ts';
import { findDocs } from './find-docs.ts';
import { findFiles } from './find-files.ts';
import { getFileInfo } from './get-file-info.ts';
import { listAllowedDirectories } from './list-allowed-directories.ts';
import { listDirectoryWithSizes } from './list-directory-with-sizes.ts';
import { listDirectory } from './list-directory.ts';
import { moveFile } from './move-file.ts';
import { projectInfo } from './project-info.ts';
import { readMediaFile } from './read-media-file.ts';
import { readMultipleFiles } from './read-multiple-files.ts';
import { readFile, readTextFile } from './read-text-file.ts';
import { removeFile } from './remove-file.ts';
import { searchFiles } from './search-files.ts';
import { searchText } from './search-text.ts';
import type { Tool } from './tool.ts';
import { writeFile } from './write-file.ts';

/** The tools that the reference file server has too: same names, same arguments, same shape of results. */
export const referenceTools: readonly Tool[] = [
  readFile,
  readTextFile,
  readMediaFile,
  readMultipleFiles,
  writeFile,
  editFile,
  createDirectory,
  listDirectory,
  listDirectoryWithSizes,
  directoryTree,
  moveFile,
  searchFiles,
  getFileInfo,
  listAllowedDirectories,
];

/** Every tool, in the order in which they are offered. */
export const allTools: readonly Tool[] = [
  ...referenceTools,
  searchText,
  findFiles,
  copyFile,
  removeFile,
  checkPath,
  projectInfo,
  findDocs,
  buildConfig,
];
