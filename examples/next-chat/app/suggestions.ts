// Stands for your search: questions that a user may have.
const QUESTIONS = ['Who was Ada Lovelace?', 'Tell me a story about the sea.', 'Why do leaves turn red?']

export async function suggestionsFor(_user: string | undefined) {
  return QUESTIONS
}
