import 'reflect-metadata'
import { NestFactory } from '@nestjs/core'
import { AppModule } from './app.module.js'
import { signToken } from './token.js'

const app = await NestFactory.create(AppModule, { logger: ['warn', 'error'] })
app.enableShutdownHooks()
await app.listen(process.env.PORT ?? 8080, '127.0.0.1')
console.log(`listening on ${await app.getUrl()}`)
console.log(`a token for ada: ${signToken('ada')}`)
