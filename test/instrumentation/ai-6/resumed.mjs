export { run } from '../ai-7/resumed.mjs'

export const libraries = ['ai-6', '@ai-sdk/openai']
