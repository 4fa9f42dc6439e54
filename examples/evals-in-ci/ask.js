import { answer } from './answer.js'

console.log(await answer(process.argv[2]))
