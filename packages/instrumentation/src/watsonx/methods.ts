/** The methods that ask a model, and how they read. */
export const METHODS = {
  textChat: 'chat',
  textChatStream: 'chat',
  deploymentsTextChat: 'chat',
  deploymentsTextChatStream: 'chat',
  generateText: 'text',
  generateTextStream: 'text',
  deploymentGenerateText: 'text',
  deploymentGenerateTextStream: 'text',
  embedText: 'embeddings',
} as const
