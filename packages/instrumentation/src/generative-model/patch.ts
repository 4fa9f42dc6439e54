import { asRecord } from '../gen-ai/read.ts'
import { patchMethods, type Wrappers } from '../patch/patch-methods.ts'

const MODEL_METHODS = ['generateContent', 'generateContentStream', 'embedContent', 'batchEmbedContents']
const CHAT_METHODS = ['sendMessage', 'sendMessageStream']

/** Patches the models and chats of Google's two older clients, which have the same classes. */
export function patchGenerativeModels(exports: unknown, wrappers: Wrappers): boolean {
  const { GenerativeModel, GenerativeModelPreview, ChatSession, ChatSessionPreview } = asRecord(exports)
  const models = [GenerativeModel, GenerativeModelPreview].map((model) => patchMethods(model, MODEL_METHODS, wrappers))
  const chats = [ChatSession, ChatSessionPreview].map((chat) => patchMethods(chat, CHAT_METHODS, wrappers))
  return [...models, ...chats].includes(true)
}
