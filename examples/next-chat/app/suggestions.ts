// Stands for your search: what somebody may want to ask.
const QUESTIONS = ['Who was Ada Lovelace?', 'Tell me a story about the sea.', 'Why do leaves turn red?']

export async function suggestionsFor(_user: string | undefined) {
  return QUESTIONS
}
