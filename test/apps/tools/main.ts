export const main = (name: string): string => `Hello, ${name}.`
