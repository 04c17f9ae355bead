/** The exports of `tablehunt` for plug-ins: the same modules that the running program uses. */
export { z } from 'zod/v4'
export { behindGateway } from '../../agents/external/behind-gateway.ts'
export { defineBenchmark } from '../../tasks/benchmark.ts'
export { defineTool } from '../../tools/define-tool.ts'
export { ConfigError, DataError, ProviderError, RunError, ToolError } from '../core/errors.ts'
export { armPerElement, defineOption, oneArm } from '../core/option-spec.ts'
export { openAiProvider } from '../models/openai.ts'
export { definePlugin } from './define-plugin.ts'
