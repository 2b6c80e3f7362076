/** The large parts of deciding that most decisions do without. */
import { createLazyForm } from './lazy-form.tsx'

export const lazyEditForm = createLazyForm(async () => (await import('./edit/edit-form.tsx')).EditForm)
export const lazyGrantForm = createLazyForm(async () => (await import('./grant/grant-form.tsx')).GrantForm)
