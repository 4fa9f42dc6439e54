import * as aiSdk from './ai-sdk/instrument.ts'
import * as anthropic from './anthropic/native-content.ts'
import * as claudeAgent from './claude-agent/instrument.ts'
import { editTanStack } from './frameworks/patches.ts'
import * as huggingFace from './huggingface/instrument.ts'
import * as mcp from './mcp/edit.ts'
import * as mistral from './mistral/native.ts'

/** What changes the sources of libraries. Not in `libraries.ts`, because a bundle of an application has nothing to edit. */
export const EDITS = {
  'ai-sdk': aiSdk.edit,
  anthropic: anthropic.edit,
  'claude-agent': claudeAgent.edit,
  huggingface: huggingFace.edit,
  mcp: mcp.edit,
  mistral: mistral.edit,
  tanstack: editTanStack,
}

export type Edits = typeof EDITS
