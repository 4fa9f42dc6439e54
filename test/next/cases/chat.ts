/** What one question to `/api/chat` is. */
export const CHAT = `chat
  invoke_agent gpt-4.1-mini
    step 1
      chat gpt-4.1-mini`
