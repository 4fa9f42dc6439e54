export const main = (name) => `Hello, ${name}.`
