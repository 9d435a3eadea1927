export { allTools, referenceTools } from './all-tools.ts';
export { registerTools, type RegisterToolsOptions, type ToolServer } from './register-tools.ts';
export { defineTool, type Tool, type ToolCall, type ToolDefinition, type ToolResult } from './tool/tool.ts';
export { createShell, type ShellLimits, type ShellOptions } from './shell.ts';
export { probeConfinement, type Confinement } from '../boundary/process/confinement.ts';
