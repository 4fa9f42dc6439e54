import { exportOf } from '../gen-ai/read.ts'
import { patchClass } from '../patch/patch-methods.ts'
import { wrappers } from './instrument.ts'

export const patchWatsonx = (exports: unknown): boolean => patchClass(exportOf(exports, 'WatsonXAI'), wrappers)
