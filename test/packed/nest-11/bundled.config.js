// For `nest build --webpack`: all in the bundle but what Nest asks for in vain.
const missing = [
  '@nestjs/microservices',
  '@nestjs/microservices/microservices-module',
  '@nestjs/websockets/socket-module',
  'class-transformer',
  'class-transformer/storage',
  'class-validator',
]
const externals = Object.fromEntries(missing.map((name) => [name, `commonjs ${name}`]))

module.exports = (options) => ({ ...options, externals })
