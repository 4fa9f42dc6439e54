import { asRecord } from '../gen-ai/read.ts'
import { ownerOf, patchMethods, whenRead } from '../patch/patch-methods.ts'
import { batches, wrappers } from './instrument.ts'

export function patchGoogleGenAI(exports: unknown): boolean {
  const { Batches, Files, Models, GoogleGenAI, Live } = asRecord(exports)
  // From version 2 on. The first implementation, in version 1, returns promises with helpers and is not supported.
  whenRead(GoogleGenAI, 'interactions', (value) => {
    if ('getClient' in value) patchMethods(value.constructor, ['create'], wrappers)
  })
  patchMethods(Batches, ['createInternal', 'createEmbeddingsInternal', 'get'], batches)
  patchMethods(Files, ['download'], batches)
  patchMethods(Live, ['connect'], wrappers)
  // The methods that `generateContent`, chats and each turn of automatic function calling call.
  const names = ['generateContentInternal', 'generateContentStreamInternal', 'generateImagesInternal']
  const embed = ownerOf(Models, 'embedContentInternal') ? 'embedContentInternal' : 'embedContent'
  return patchMethods(Models, [...names, embed], wrappers)
}
