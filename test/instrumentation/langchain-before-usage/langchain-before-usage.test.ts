import { checkLibrary } from '../harness/library.ts'

checkLibrary('langchain-before-usage')
