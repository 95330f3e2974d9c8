//! What rmcp calls: the list of tools and their calls, both from the one table. Who calls comes with the HTTP request, each time.

use super::changes::Listeners;
use crate::delivery::Slip;
use crate::session_key;
use crate::tools::{self, Desk, Failure, Outcome};
use crate::visitor::Visitor;
use countersign_broker::BrokerError;
use http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{Peer, RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// How long a progress notification may take to be handed over, before the call matters more.
const NOTIFY: Duration = Duration::from_secs(1);

/// One handler for all sessions; it holds nothing of any of them.
#[derive(Clone)]
pub(crate) struct Handler {
    desk: Arc<Desk>,
    heartbeat: Duration,
    listeners: Listeners,
}

/// Who is on the other end of this one request.
struct Client {
    visitor: Arc<Visitor>,
    slip: Slip,
    session: Option<String>,
    /// The transport's session, in the protocol versions that have one.
    mcp_session: Option<String>,
}

impl Handler {
    pub(super) fn new(desk: Arc<Desk>, heartbeat: Duration, listeners: Listeners) -> Self {
        Self { desk, heartbeat, listeners }
    }

    /// Runs a tool; while it is held, shows progress to a client that asked for it. A cancelled call ends the wait only.
    async fn run(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
        client: &Client,
    ) -> Result<Outcome, Failure> {
        let gone = client.slip.gone().child_token();
        let arguments = request.arguments.unwrap_or_default();
        let call = tools::run(
            &self.desk,
            &client.visitor,
            client.session.as_deref(),
            &request.name,
            arguments,
            &client.slip,
            gone.clone(),
        );
        let holds = tools::table().iter().any(|tool| tool.name == request.name && tool.holds);
        let token = context.meta.get_progress_token().filter(|_| holds);
        let mut call = pin!(call);
        let mut ticks = interval(self.heartbeat);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut beats = 0_u32;
        loop {
            tokio::select! {
                outcome = &mut call => return outcome,
                () = context.ct.cancelled(), if !gone.is_cancelled() => gone.cancel(),
                _ = ticks.tick(), if token.is_some() => {
                    beats += 1;
                    show_progress(&context.peer, token.clone(), beats).await;
                }
            }
        }
    }
}

async fn show_progress(peer: &Peer<RoleServer>, token: Option<ProgressToken>, beats: u32) {
    let Some(token) = token else { return };
    let progress = ProgressNotificationParam::new(token, f64::from(beats))
        .with_message("Waiting for the person to answer in Countersign.");
    if let Ok(Err(error)) = timeout(NOTIFY, peer.notify_progress(progress)).await {
        tracing::debug!(%error, "progress could not be shown");
    }
}

fn client(context: &RequestContext<RoleServer>) -> Result<Client, ErrorData> {
    let missing = || ErrorData::internal_error("BUG: the request came without its HTTP head", None);
    let parts = context.extensions.get::<Parts>().ok_or_else(missing)?;
    let visitor = parts.extensions.get::<Arc<Visitor>>().ok_or_else(missing)?;
    let slip = parts.extensions.get::<Slip>().ok_or_else(missing)?;
    let session = session_key::of(&parts.headers, Some(&context.meta));
    let mcp_session = parts.headers.get(super::SESSION).and_then(|id| id.to_str().ok()).map(str::to_owned);
    Ok(Client { visitor: Arc::clone(visitor), slip: slip.clone(), session, mcp_session })
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let mut info =
            ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build());
        info.server_info = Implementation::new("countersign", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(tools::INSTRUCTIONS.to_owned());
        info
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::table().iter().find(|tool| tool.name == name).map(described)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let client = client(&context)?;
        let entered = client.visitor.enter(&self.desk.broker, client.session.as_deref(), None).await;
        if let Some(id) = &client.mcp_session {
            // One that may not work there hears of it too when it may.
            let session = entered.as_ref().ok().map(|caller| caller.session.clone());
            self.listeners.listed(id, client.visitor.agent.id.clone(), session, context.peer.clone());
        }
        let caller = entered.map_err(|error| match error {
            BrokerError::OutOfScope(_) => ErrorData::invalid_request(error.to_string(), None),
            other => ErrorData::internal_error(other.to_string(), None),
        })?;
        Ok(ListToolsResult::with_all_items(tools::listed(caller.mode, caller.scopes).map(described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = client(&context)?;
        let ran = self.run(request, &context, &client).await;
        // The result of a cancelled call goes nowhere.
        if context.ct.is_cancelled() {
            drop(client.slip.take_note());
        }
        let result = match ran {
            Ok(outcome) => {
                if let Some(id) = outcome.ending.filter(|_| !context.ct.is_cancelled()) {
                    client.slip.carries(id);
                }
                let mut result = CallToolResult::success(vec![ContentBlock::text(outcome.text)]);
                result.structured_content = Some(outcome.structured);
                result
            }
            Err(failure) => {
                let mut result = CallToolResult::error(vec![ContentBlock::text(failure.to_string())]);
                result.structured_content = Some(failure.structured()).filter(|said| said["stop"] == true);
                result
            }
        };
        Ok(result.into())
    }
}

fn described(tool: &tools::Tool) -> Tool {
    let annotations = ToolAnnotations::with_title(tool.title)
        .read_only(tool.effect.reads_only())
        .destructive(tool.effect.destroys())
        .idempotent(tool.effect.reads_only())
        .open_world(false);
    let mut described = Tool::default();
    described.name = tool.name.into();
    described.title = Some(tool.title.to_owned());
    described.description = Some(tool.description.into());
    described.input_schema = Arc::clone(&tool.input);
    described.output_schema = Some(Arc::clone(&tool.output));
    described.annotations = Some(annotations);
    described
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcp_and_http_list_the_same_words_and_schemas() {
        for tool in tools::table() {
            let mcp = serde_json::to_value(described(tool)).expect("JSON");
            assert_eq!(mcp, tool.to_json(), "{}", tool.name);
        }
    }
}
