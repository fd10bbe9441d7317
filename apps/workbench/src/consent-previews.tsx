import type { Schemas } from '@tiwala/contract'
import { ConsentQuestion, Items } from '@tiwala/ui/consent-question'

/** What citizens see in their app, with the name, the purposes and the items of the partner. */
export const ConsentPreviews = ({ settings }: { settings: Schemas['PartnerSettings'] }) => (
  <section aria-label="What citizens see">
    <h2>What citizens see</h2>
    <p class="soft">An administrator of the service changes the name, the purposes and the items.</p>
    <div class="beside">
      <article class="card asks" aria-label="A request of the profile">
        <ConsentQuestion partner={settings} asks="asks for your profile">
          The screen of the partner must show the number that ends in <strong class="last4">7K2M</strong>
        </ConsentQuestion>
        <p class="small">It gets {settings.profile_fields.length} items:</p>
        <Items items={settings.profile_fields} />
      </article>
      {settings.purposes.map(({ name, text, items, optional_items }) => (
        <article class="card asks" key={name} aria-label={`A sign-in: ${name}`}>
          <ConsentQuestion partner={{ name: settings.name, purpose: text }} asks="asks you to sign in">
            A browser shows the code. It must show <strong class="last4">7K</strong>
          </ConsentQuestion>
          <p class="small">It gets, if you ask for them:</p>
          <Items items={items} />
          {optional_items.length > 0 && (
            <>
              <p class="small">The citizen can leave out:</p>
              <Items items={optional_items} />
            </>
          )}
        </article>
      ))}
    </div>
  </section>
)
