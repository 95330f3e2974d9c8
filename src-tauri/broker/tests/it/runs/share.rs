//! What one workspace may take of the places for runs.

use super::*;
use countersign_core::spec_act::SpecAct;
use serde_json::Map;

impl Place {
    /// An agent in a folder of its own with a check that is trusted, and so many specs that name it.
    async fn crowd(&self, name: &str, specs: usize) -> (Caller, Vec<SpecId>) {
        let folder = self.folder.parent().expect("a folder").join(name);
        std::fs::create_dir(&folder).expect("made");
        std::fs::write(
            folder.join("countersign.toml"),
            "[checks.long]\nrun = [\"sleep\", \"1000\"]\n[targets.t]\nrun = [\"true\"]\n",
        )
        .expect("written");
        let caller = enter(&self.room, name, &folder).await;
        let mut ids = Vec::new();
        for n in 0..specs {
            let criteria = vec![NewCriterion { check: Some("long".into()), ..NewCriterion::plain("It holds") }];
            let new = NewSpec { title: format!("Thing {n}"), body: String::new(), criteria };
            ids.push(self.broker().make_spec(DIALOG, caller.workspace, new).await.expect("made").id);
        }
        let request = self.broker().review_trust(caller.workspace).await.expect("reviewed").expect("asked");
        self.room.typed(DIALOG, &request.id, json!({"confirm-trust": true}), Some("trust")).await.expect("trusted");
        (caller, ids)
    }

    async fn validate(&self, caller: &Caller, spec: SpecId) -> Result<(), BrokerError> {
        self.broker().act_on_spec(caller, &spec.to_string(), SpecAct::Validate, Map::new()).await.map(|_| ())
    }

    /// The workspaces and kinds of what goes on.
    fn going(&self) -> Vec<(i64, RunKind)> {
        let runs = self.fake.runs.lock().expect("held");
        runs.iter().map(|(order, _)| (order.workspace.0, order.kind)).collect()
    }
}

#[tokio::test]
async fn one_workspace_takes_its_share_of_the_places_and_none_from_another_or_the_person() {
    let place = Place::new().await;
    let (crowd, specs) = place.crowd("crowd", 68).await;
    for (n, spec) in specs.iter().enumerate() {
        let told = place.validate(&crowd, *spec).await;
        match told {
            Ok(()) => assert!(n < 66, "{n}"),
            Err(BrokerError::TooMany { what, .. }) => {
                assert!(n >= 66 && what.contains("of this workspace"), "{n}: {what}")
            }
            other => panic!("{other:?}"),
        }
    }
    let theirs = crowd.workspace.0;
    assert_eq!(place.going(), [(theirs, RunKind::Check); 2]);
    // Another workspace's deployment starts at once, and so does the person's own in the crowded one.
    let (other, spec) = place.crowd("other", 1).await;
    let deployed = place.broker().deploy_spec(&other, "SPEC-001", "t", Default::default()).await.expect("goes");
    assert!(matches!(deployed, Gated::Done { value: Deployed::Started { .. }, .. }), "{deployed:?}");
    place.validate(&other, spec[0]).await.expect("goes");
    assert_eq!(place.going()[2..], [(other.workspace.0, RunKind::Deploy), (other.workspace.0, RunKind::Check)]);
    place.broker().deploy(DIALOG, crowd.workspace, specs[0], "t").await.expect("goes");
    assert_eq!(place.going()[4..], [(theirs, RunKind::Deploy)], "though as many go on as may");
    // What the person wants too goes before what else waits.
    place.broker().run_checks(DIALOG, crowd.workspace, specs[60]).await.expect("joined");
    place.end(RunState::Passed).await;
    let last = place.fake.runs.lock().expect("held").last().map(|(order, _)| order.spec);
    assert_eq!(last, Some(specs[60]));
}
