import { checkPath, listAllowedDirectories } from './files/check-path.ts';
import { copyFile } from './files/copy-file.ts';
import { createDirectory } from './files/create-directory.ts';
import { directoryTree } from './files/directory-tree.ts';
import { editFile } from './files/edit-file.ts';
import { getFileInfo } from './files/get-file-info.ts';
import { listDirectory, listDirectoryWithSizes } from './files/list-directory.ts';
import { moveFile } from './files/move-file.ts';
import { readMediaFile } from './files/read-media-file.ts';
import { readMultipleFiles } from './files/read-multiple-files.ts';
import { readFile, readTextFile } from './files/read-text-file.ts';
import { removeFile } from './files/remove-file.ts';
import { writeFile } from './files/write-file.ts';
import { buildConfig } from './project/build-config.ts';
import { findDocs } from './project/find-docs.ts';
import { projectInfo } from './project/project-info.ts';
import { findFiles } from './search/find-files.ts';
import { searchFiles } from './search/search-files.ts';
import { searchText } from './search/search-text.ts';
import type { Tool } from './tool/tool.ts';

/** The tools of the reference file server: same names, arguments and result formats. */
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

/** Every tool, in the order they are offered. */
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
