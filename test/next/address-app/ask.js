/** A call of a model, without a library. */
export const ask = () =>
  fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-test', messages: [{ role: 'user', content: 'Say hi.' }] }),
  }).then((response) => response.json())
