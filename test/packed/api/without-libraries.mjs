// A preload that records no calls of libraries.
import { start } from '@svc/register/start'

start({ instrument: false })
