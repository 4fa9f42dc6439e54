import { edit as editAiSdk } from './ai-sdk/instrument.ts'
import { edit as editAnthropic } from './anthropic/native-content.ts'
import { edit as editClaudeAgent } from './claude-agent/instrument.ts'
import { editTanStack } from './frameworks/patches.ts'
import { edit as editHuggingFace } from './huggingface/instrument.ts'
import { edit as editMcp } from './mcp/edit.ts'
import { edit as editMistral } from './mistral/native.ts'

/** What changes the sources of libraries. Not in `libraries.ts`, because a bundle of an application has nothing to edit. */
export const EDITS = {
  'ai-sdk': editAiSdk,
  anthropic: editAnthropic,
  'claude-agent': editClaudeAgent,
  huggingface: editHuggingFace,
  mcp: editMcp,
  mistral: editMistral,
  tanstack: editTanStack,
}

export type Edits = typeof EDITS
