import { FLAGS, ROLES, setSwitches, switchesText } from './switches.ts'

/** Both languages in one line: testers of either can read it, and the product's texts stay untouched. */
const RIBBON = '錄製的資料 · Recorded data'
const STYLE = `
  .mock-ribbon { position: fixed; inset-block-end: 0; inset-inline-end: 0; z-index: 2000; padding: 2px 8px; border: 0;
    border-start-start-radius: 6px; font: 12px/1.6 sans-serif; color: #fff; background: #7a3e9d; cursor: pointer; }
  .mock-panel { position: fixed; inset-block-end: 32px; inset-inline-end: 8px; z-index: 2001; inline-size: min(360px, 94vw);
    padding: 12px; border: 1px solid #7a3e9d; border-radius: 8px; font: 14px/1.6 sans-serif; color: #111; background: #fff; }
  .mock-panel input[type=text] { inline-size: 100%; padding: 6px; font: inherit; }
  .mock-panel p { margin: 8px 0; }
  @media print { .mock-ribbon, .mock-panel { display: none; } }
`

/** Shows a ribbon that marks recorded data, and the panel of switches, which the ribbon or Ctrl-Shift-M opens. */
export function showPanel(at: number): void {
  const style = document.createElement('style')
  style.textContent = STYLE
  const ribbon = document.createElement('button')
  ribbon.className = 'mock-ribbon'
  ribbon.textContent = `${RIBBON} · ${new Date(at).toISOString().slice(0, 10)}`
  const panel = createPanel()
  const toggle = () => {
    panel.hidden = !panel.hidden
    if (!panel.hidden) panel.querySelector('input')?.focus()
  }
  ribbon.addEventListener('click', toggle)
  addEventListener('keydown', (event) => {
    if (event.ctrlKey && event.shiftKey && event.code === 'KeyM') toggle()
    if (event.key === 'Escape') panel.hidden = true
  })
  document.head.append(style)
  document.body.append(ribbon, panel)
}

function createPanel(): HTMLFormElement {
  const form = document.createElement('form')
  form.className = 'mock-panel'
  form.hidden = true
  form.setAttribute('aria-label', 'Recorded data')
  const on = switchesText()
    .split(',')
    .filter((part) => part !== '')
  const flags = FLAGS.map(
    (flag) =>
      `<label><input type="checkbox" name="${flag}"${on.includes(flag) ? ' checked' : ''}> ${flag}</label> `,
  )
  const roles = ROLES.map((role) => `<option${on.includes(`as:${role}`) ? ' selected' : ''}>${role}</option>`)
  form.innerHTML = `
    <p>${flags.join('')}</p>
    <p><label>as <select name="as">${roles.join('')}</select></label></p>
    <p><label>slow:3000, fail:UNAVAILABLE:/ListHome, forbid:room.Update, seed:7
      <input type="text" name="more" spellcheck="false"></label></p>
    <p><button>Open again</button></p>`
  const more = form.elements.namedItem('more') as HTMLInputElement
  more.value = on
    .filter((part) => !(FLAGS as readonly string[]).includes(part) && !part.startsWith('as:'))
    .join(',')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const data = new FormData(form)
    const text = (name: string) => String(data.get(name) ?? '')
    const as = text('as')
    setSwitches(
      [...FLAGS.filter((flag) => data.has(flag)), as === 'owner' ? '' : `as:${as}`, text('more').trim()]
        .filter((part) => part !== '')
        .join(','),
    )
  })
  return form
}
