import { FromApp } from '../../../src/native/messages.ts'
import type { NativeShell } from '../native-shell.ts'

/** Default content of each message until the developer changes it. */
const EXAMPLES: { [T in keyof FromApp]: unknown } = {
  hello: { Version: 1, Can: ['push', 'qr'] },
  requestTokens: {},
  requestLanguage: {},
  requestDeviceInfo: {},
  token: { IdToken: '…', AccessToken: '…' },
  language: { Language: 'en-US' },
  deviceInfo: { Model: 'Phone', AppVersion: '1.0.0' },
  logoutPush: {},
  resume: {},
  openNotification: { Path: '/HomeList' },
}
/** Invalid messages. */
const INVALID_MESSAGES: Record<string, string> = {
  'unknown type': JSON.stringify({ id: 'wrong', type: 'eval', payload: {} }),
  'malformed payload': JSON.stringify({ id: 'wrong', type: 'language', payload: { Language: 12 } }),
  'no JSON': '{',
  'unknown version': JSON.stringify({ id: 'wrong', type: 'hello', payload: { Version: 99, Can: [] } }),
}

const element = <T extends Element>(selector: string) => document.querySelector(selector) as T
const frame = element<HTMLIFrameElement>('iframe')
const text = element<HTMLTextAreaElement>('#message')
const shell = () => (frame.contentWindow as (Window & { nativeShell?: NativeShell }) | null)?.nativeShell
let lastId = 0

function note(sender: string, message: string) {
  const log = element('#said')
  log.textContent = `${new Date().toLocaleTimeString()} ${sender} ${message}\n${log.textContent}`
}

/** Sends it after the delay set on the page, as an application that responds slowly. */
function send(data: string) {
  const delay = element<HTMLInputElement>('#delay').valueAsNumber
  setTimeout(
    () => {
      note('app  →', data)
      shell()?.sendText(data)
    },
    Number.isFinite(delay) ? Math.max(0, delay) : 0,
  )
}

function button(label: string, onClick: () => void) {
  const buttonElement = document.createElement('button')
  buttonElement.textContent = label
  buttonElement.addEventListener('click', onClick)
  element('#messages').append(buttonElement)
}

for (const [type, payload] of Object.entries(EXAMPLES))
  button(type, () => {
    text.value = JSON.stringify({ id: ++lastId, type, payload }, null, 2)
    if (type !== 'token') send(JSON.stringify(JSON.parse(text.value)))
  })
for (const [label, data] of Object.entries(INVALID_MESSAGES)) button(label, () => send(data))
button('10 MB', () => {
  note('app  →', '10 MB')
  shell()?.sendText('x'.repeat(10_000_000))
})
button('two at once', () => {
  for (const type of ['requestLanguage', 'requestDeviceInfo']) send(JSON.stringify({ id: ++lastId, type }))
})
button('foreign origin', () =>
  shell()?.sendFrom('https://other.example', { id: ++lastId, type: 'requestTokens' }),
)

element('#send').addEventListener('click', () => send(text.value))
for (const open of document.querySelectorAll<HTMLButtonElement>('[data-system]'))
  open.addEventListener('click', () => {
    frame.src = `/?native-shell=${open.dataset['system']}`
  })
frame.addEventListener('load', () => {
  const inside = shell()
  if (!inside) return
  for (const message of inside.posted) note('page →', JSON.stringify(message))
  inside.onPosted = (message) => note('page →', JSON.stringify(message))
})
text.value = JSON.stringify({ type: Object.keys(FromApp)[1] })
